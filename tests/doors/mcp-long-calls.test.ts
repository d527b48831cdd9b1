// Calls that take longer than MCP clients wait: handed over, followed and stopped by their id.
import type { Client } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Caller, ownCove } from "../support/caller.ts";
import { mcpClient } from "../support/mcp-client.ts";

const own = ownCove();
let ada: Caller;
let client: Client;

beforeAll(async () => {
  ada = await own.caller();
  client = await mcpClient(own.cove.url, ada.token);
});

afterAll(() => client.close());

/** Begun together, because it takes 45 s until they are handed over. */
let long: Promise<Record<string, unknown>>;
let longCell: Promise<Record<string, unknown>>;

beforeAll(() => {
  const call = (name: string, args: Record<string, unknown>) =>
    client
      // The client's own patience is no more than a minute, and this machine may be busy.
      .callTool({ name, arguments: { ...args, timeout: 600 } }, { timeout: 300_000 })
      .then(({ structuredContent }) => structuredContent as Record<string, unknown>);
  long = call("execute_bash", { command: "echo begun; sleep 600" });
  const code = `import os, time, matplotlib.pyplot as plt
plt.plot([1, 2, 4])
while not os.path.exists("go-on"): time.sleep(0.1)`;
  longCell = call("execute_python", { code, session: "long" });
});

test("a cell that takes long shows its pictures to whoever asks for it later", async () => {
  const { execution_id, ...handle } = await longCell;
  expect(handle).toMatchObject({ status: "running" });
  await ada.execute("write_file", { file_path: "go-on", content: "" });
  const check = () => client.callTool({ name: "check_execution", arguments: { execution_id } });
  const [first, again] = [await check(), await check()];
  expect(first.structuredContent).toMatchObject({ status: "completed", results: [{ mime: "image/png" }] });
  for (const { content } of [first, again]) {
    expect(content).toMatchObject([{ type: "text" }, { type: "image", mimeType: "image/png" }]);
  }
});

test("a call that takes long is handed over, followed and stopped by its id", async () => {
  const { execution_id, ...handle } = await long;
  expect(handle).toMatchObject({ status: "running", stdout: "begun\n" });
  const check = await client.callTool({ name: "check_execution", arguments: { execution_id, wait: 0 } });
  expect(check.structuredContent).toMatchObject({ execution_id, status: "running" });
  const stopped = await client.callTool({ name: "stop_execution", arguments: { execution_id } });
  expect(stopped.structuredContent).toMatchObject({ execution_id, status: "cancelled", stdout: "begun\n" });
});
