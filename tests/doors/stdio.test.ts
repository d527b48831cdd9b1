import { execFile, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { expect, test } from "vitest";
import { freePort } from "#scripts/free-port.ts";
import { ownCove } from "../support/caller.ts";
import { cleanEnv, root } from "../support/cove.ts";

const own = ownCove();

test("a client that starts a command works through it, progress included", async () => {
  const { token } = await own.caller();
  const client = new Client({ name: "test", version: "1" });
  const env = cleanEnv({ COVE_URL: own.cove.url, COVE_TOKEN: token }) as Record<string, string>;
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: ["scripts/mcp.ts"], cwd: root, env }),
  );
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain("execute_bash");
  // It ends only once its first line has been heard. Of progress that arrives with the result the client tells nobody.
  const go = { name: "write_file", arguments: { file_path: "go", content: "" } };
  const heard: Promise<unknown>[] = [];
  const result = await client.callTool(
    {
      name: "execute_bash",
      arguments: { command: "echo one; until [ -e go ]; do sleep 0.05; done; echo two" },
    },
    { onprogress: ({ message }) => message === "one\n" && heard.push(client.callTool(go)) },
  );
  expect(result.structuredContent).toMatchObject({ status: "completed", stdout: "one\ntwo\n" });
  expect(await Promise.all(heard)).toHaveLength(1);
  await client.close();
});

test("the command itself works, and a call that is taken back stops its run", async () => {
  const ada = await own.caller();
  const client = new Client({ name: "test", version: "1" });
  const env = cleanEnv({ COVE_URL: own.cove.url, COVE_TOKEN: ada.token }) as Record<string, string>;
  await client.connect(
    new StdioClientTransport({ command: "npm", args: ["run", "-s", "mcp"], cwd: root, env }),
  );
  const taken = new AbortController();
  const call = client.callTool(
    { name: "execute_bash", arguments: { command: "echo $$ > pid; sleep 600", timeout: 600 } },
    { signal: taken.signal },
  );
  const alive = async () =>
    (await ada.execute("execute_bash", { command: "kill -0 $(cat pid)" })).body.exit_code === 0;
  await expect.poll(alive, { timeout: 60_000 }).toBe(true);
  taken.abort();
  await expect(call).rejects.toThrow();
  await expect.poll(alive, { timeout: 60_000 }).toBe(false);
  // The connection is as good as before.
  const after = await client.callTool({ name: "execute_bash", arguments: { command: "echo after" } });
  expect(after.structuredContent).toMatchObject({ stdout: "after\n" });
  await client.close();
});

test("a refusal at the door is an answer to the request it refuses", async () => {
  const env = cleanEnv({ COVE_URL: own.cove.url, COVE_TOKEN: `cove_${"A".repeat(43)}` });
  const child = spawn(process.execPath, ["scripts/mcp.ts"], { cwd: root, env });
  const lines = createInterface({ input: child.stdout });
  const heard: unknown[] = [];
  lines.on("line", (line) => heard.push(JSON.parse(line)));
  child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })}\n`);
  child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: "seven", method: "ping" })}\n`);
  const refusal = {
    jsonrpc: "2.0",
    id: "seven",
    error: { message: expect.stringMatching(/token is not valid/) },
  };
  await expect.poll(() => heard, { timeout: 60_000 }).toMatchObject([refusal]);
  child.kill();
});

test.each([
  ["no token", {}, /COVE_TOKEN must be set/],
  ["a token that isn't one", { COVE_TOKEN: "nope" }, /COVE_TOKEN must be an API token/],
  ["no server", { COVE_TOKEN: `cove_${"A".repeat(43)}`, COVE_URL: "" }, /No Cove answers at http/],
])(
  "with %s it says so and prints nothing on stdout",
  async (_what, variables: Record<string, string>, sentence) => {
    if (variables.COVE_URL === "") variables.COVE_URL = `http://localhost:${await freePort()}`;
    const run = promisify(execFile)(process.execPath, ["scripts/mcp.ts"], {
      cwd: root,
      env: cleanEnv(variables),
    });
    await expect(run).rejects.toMatchObject({ code: 1, stdout: "", stderr: expect.stringMatching(sentence) });
  },
);
