// What tools really answer, held against what they say they answer.

import type { Client } from "@modelcontextprotocol/client";
import { Ajv2020 } from "ajv/dist/2020.js";
import { beforeAll, describe, expect, test } from "vitest";
import { documentOf } from "#mcp/tools/catalogue-document.ts";
import { type Caller, ownCove } from "../support/caller.ts";
import { mcpClient } from "../support/mcp-client.ts";

const own = ownCove({ COVE_EGRESS: "off" });
const ajv = new Ajv2020({ strict: true, allErrors: true });
let ada: Caller;
let client: Client;
/** A run that has ended, for tools that take an id. */
let ended: string;
let artifact: string | undefined;

beforeAll(async () => {
  ada = await own.caller();
  client = await mcpClient(own.cove.url, ada.token, { toolset: "code-executor" });
  const { body } = await ada.execute("execute_python", { code: "[1]" });
  ended = body.execution_id;
  const made = await ada.execute("execute_bash", {
    command: "mkdir -p outputs; echo kept > outputs/kept.txt",
  });
  artifact = made.body.artifacts[0]?.id;
  const content = 'def load(path):\n    """Loads."""\n';
  await ada.execute("write_file", { file_path: "m.py", content });
});

/** Several calls where a tool has several kinds of answers. Every tool has at least one. */
const CALLS: Record<string, () => object[]> = {
  execute_bash: () => [
    { command: "echo out; echo err >&2" },
    { command: "exit 3" },
    { command: "sleep 60", timeout: 0.3 },
    { command: "sleep 1", background: true },
    { command: "curl -sS http://example.com || true" },
  ],
  execute_python: () => [
    { code: "import pandas as pd\npd.DataFrame({'a': [1]})" },
    { code: "import matplotlib.pyplot as plt\nplt.plot([1]); plt.show()", timeout: 60 },
    { code: "1/0" },
    { code: "import nowhere_to_be_found" },
  ],
  reset_session: () => [{}, { session: "never" }],
  check_execution: () => [{ execution_id: ended }],
  stop_execution: () => [{ execution_id: ended }],
  read_file: () => [{ file_path: "m.py" }],
  write_file: () => [{ file_path: "w.txt", content: "w" }],
  edit_file: () => [{ file_path: "w.txt", old_text: "w", new_text: "v" }],
  list_files: () => [{}, { path: "/workspace", depth: 3 }],
  read_docstring: () => [{ file_path: "m.py", function_name: "load" }],
  install_dependencies: () => [{ packages: ["six"] }],
  list_installed_packages: () => [{}, { packages: ["numpy", "nowhere"] }],
  list_artifacts: () => [{}],
  get_artifact: () => [{ id: artifact }],
  list_skills: () => [{}],
  read_skill: () => [{ name: "data-analysis" }],
  run_agent: () => [{ task: "Say hello." }],
  sandbox_info: () => [{}],
  execute_code: () => [{ code: "print('hi')", filename: "hi" }, { code: "raise SystemExit(2)" }],
  initialize_code_file: () => [{ content: "print('one')\n", filename: "parts.py" }],
  append_to_code_file: () => [{ file_path: "code/parts.py", content: "print('two')\n" }],
  read_code_file: () => [{ file_path: "code/parts.py" }],
  execute_code_file: () => [{ file_path: "code/parts.py" }],
  check_installed_packages: () => [{ packages: ["numpy", "nowhere"] }],
  configure_environment: () => [
    { type: "venv", venv_path: "/somewhere/mine" },
    { type: "venv", venv_path: ".venv" },
    { type: "venv", venv_path: "/workspace/project/.venv/" },
  ],
  get_environment_config: () => [{}],
};

/** No model is connected here; with one, the agent has tests of its own. */
const REFUSED = new Set(["run_agent"]);

describe("every tool answers what its schema promises, and never an error of the protocol", () => {
  test.each(documentOf("code-executor").map((tool) => [tool.name, tool] as const))(
    "%s",
    async (name, tool) => {
      const calls = CALLS[name]?.();
      if (!calls) throw new Error(`Add a call of ${name} to the table.`);
      const validate = ajv.compile(tool.outputSchema);
      for (const args of calls) {
        const result = await client.callTool({ name, arguments: { ...args } });
        if (REFUSED.has(name)) {
          expect(result).toMatchObject({ isError: true, content: [{ type: "text" }] });
          continue;
        }
        expect(result.content).toMatchObject([{ type: "text" }, ...(result.content as []).slice(1)]);
        validate(result.structuredContent);
        expect({ args, errors: validate.errors, answer: result.structuredContent }).toMatchObject({
          errors: null,
        });
      }
    },
  );
});

describe("the older server's names", () => {
  test("build a program from parts and run it", async () => {
    const run = async (name: string, args: Record<string, unknown>) =>
      (await client.callTool({ name, arguments: args })).structuredContent as Record<string, unknown>;
    expect(await run("initialize_code_file", { content: "", filename: "../up" })).toBeUndefined();
    const begun = await run("initialize_code_file", { content: "x = 20\n", filename: "sum" });
    await run("append_to_code_file", { file_path: begun.file_path, content: "print(x * 2 + 2)\n" });
    expect(await run("read_code_file", { file_path: begun.file_path })).toMatchObject({
      content: "x = 20\nprint(x * 2 + 2)\n",
    });
    expect(await run("execute_code_file", { file_path: begun.file_path })).toMatchObject({
      status: "completed",
      stdout: "42\n",
    });
    expect(await run("execute_code", { code: "print(1)", filename: "one" })).toMatchObject({
      file_path: "/workspace/code/one.py",
      stdout: "1\n",
    });
  });

  test("switch between environments", async () => {
    await client.callTool({ name: "configure_environment", arguments: { type: "venv", venv_path: "other" } });
    const { structuredContent } = await client.callTool({ name: "get_environment_config", arguments: {} });
    expect(structuredContent).toMatchObject({
      environments: expect.arrayContaining([expect.objectContaining({ name: "other", active: true })]),
    });
  });

  test("are not there for those who didn't ask for them", async () => {
    expect((await ada.execute("execute_code", { code: "1" })).status).toBe(404);
    const response = await fetch(`${own.cove.url}/api/mcp?toolset=nope`, {
      method: "POST",
      headers: { authorization: `Bearer ${ada.token}`, "content-type": "application/json" },
      body: "{}",
    });
    expect(response.status).toBe(400);
  });
});
