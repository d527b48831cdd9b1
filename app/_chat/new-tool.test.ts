import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { toolLabel, toolLabels } from "#app/(app)/history/tool-labels.ts";
import { stepsOf } from "#lib/history/formats/exported-call.ts";
import { callCode, catalogue, presentations } from "#mcp/tools/catalogue.ts";
import { defineTool, type Tool } from "#mcp/tools/tool.ts";
import { toolView } from "./tool-view.ts";

const runQuery = defineTool({
  name: "run_query",
  title: "Run a query",
  description: "Runs a query.",
  input: z.object({ file: z.string(), query: z.string() }),
  output: z.object({}),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  recorded: true,
  presentation: {
    title: "Query",
    label: "Database query",
    icon: "package",
    open: true,
    subject: { arguments: ["file"] },
    code: { argument: "query", language: "bash" },
  },
  steps: ({ query }) => [{ kind: "bash", command: query }],
  run: async () => ({ structured: {}, text: "" }),
});

test("a tool that is in the catalogue, and nowhere else, has its title, icon and code in chat and history", () => {
  const tools = catalogue as Tool[];
  tools.push(runQuery);
  onTestFinished(() => void tools.splice(tools.indexOf(runQuery), 1));
  const given = { file: "a.db", query: "select 1" };

  expect(toolView(presentations(), "run_query", given)).toEqual({
    title: "Query",
    icon: "package",
    subject: "a.db",
    code: "select 1",
    language: "bash",
    major: true,
  });
  expect(toolLabel("run_query")).toBe("Database query");
  expect(toolLabels()).toMatchObject({ run_query: "Database query" });
  expect(callCode("run_query", given)).toMatchObject({ code: "select 1", language: "bash" });
  expect(stepsOf("id", "run_query", given)).toEqual([{ kind: "bash", command: "select 1" }]);
});

test("what people see of the tools can be sent to a browser as it is", () => {
  expect(JSON.parse(JSON.stringify(presentations()))).toEqual(presentations());
});
