import { expect, test } from "vitest";
import { CHANGES } from "#lib/files/run-change.ts";
import { everyTool } from "#mcp/tools/catalogue.ts";
import { toolLabel, toolLabels } from "./tool-labels.ts";

test("whatever is on record has a name for people, and can be filtered by", () => {
  const tools = everyTool().filter(({ recorded }) => recorded);
  const recorded = [...tools.map(({ name }) => name), ...CHANGES];
  expect(Object.keys(toolLabels()).sort()).toEqual(recorded.sort());
  expect(new Set(Object.values(toolLabels())).size).toBe(recorded.length);
});

test("a name that nobody has any more is shown as it is", () => {
  expect(["execute_bash", "save_file", "constructor"].map(toolLabel)).toEqual([
    "Shell",
    "Save file",
    "constructor",
  ]);
});
