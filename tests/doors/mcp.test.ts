import { createMCPClient } from "@ai-sdk/mcp";
import type { Client } from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
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

describe("a client", () => {
  test("is told how to work here, with the tools it has and the skills it can read", async () => {
    const { prompts } = await client.listPrompts();
    expect(prompts).toMatchObject([{ name: "agent_system_prompt" }]);
    const { messages } = await client.getPrompt({ name: "agent_system_prompt" });
    expect(messages).toMatchObject([{ role: "user", content: { type: "text" } }]);
    const [{ text = "" } = {}] = messages.map(({ content }) => content as { text?: string });
    for (const { name } of (await client.listTools()).tools) expect(text).toContain(`- ${name}: `);
    expect(text).toContain("- data-analysis (/skills/data-analysis/SKILL.md)");
    await expect(client.getPrompt({ name: "another" })).rejects.toThrow(/no such prompt/);
  });

  test("reads a skill by its address, and nothing that isn't there", async () => {
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toContain("skill://data-analysis/SKILL.md");
    const { contents } = await client.readResource({ uri: "skill://data-analysis/SKILL.md" });
    expect(contents).toMatchObject([{ mimeType: "text/markdown", text: expect.stringContaining("---") }]);
    expect((await client.listResourceTemplates()).resourceTemplates).not.toEqual([]);
    for (const uri of ["skill://nope/SKILL.md", "file:///etc/passwd", "nonsense"]) {
      await expect(client.readResource({ uri })).rejects.toThrow();
    }
  });

  test("gets the same list of tools every time, under its own number", async () => {
    const [first, second] = [await client.listTools(), await client.listTools()];
    expect(second).toEqual(first);
    const old = await olderClient();
    const lists = [await old.listTools(), await old.listTools()];
    expect(lists[0]?.tools.map(({ name }) => name)).toEqual(first.tools.map(({ name }) => name));
    expect(lists[1]).toEqual(lists[0]);
    await old.close();
  });

  test("sees the catalogue with schemas and hints", async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain("execute_bash");
    expect(tools.find(({ name }) => name === "read_file")?.annotations).toMatchObject({ readOnlyHint: true });
    for (const tool of tools) expect(tool.outputSchema).toMatchObject({ type: "object" });
  });

  test("gets a result as text and as fields", async () => {
    const result = await client.callTool({ name: "execute_bash", arguments: { command: "echo hello" } });
    expect(result.content).toEqual([{ type: "text", text: "hello" }]);
    expect(result.structuredContent).toMatchObject({ status: "completed", exit_code: 0, stdout: "hello\n" });
    expect(result.isError).toBeFalsy();
  });

  test("sees a figure as a picture", async () => {
    const code = "import matplotlib.pyplot as plt\nplt.plot([1, 2, 4])\nprint('drawn')";
    const { content } = await client.callTool({ name: "execute_python", arguments: { code } });
    expect(content).toMatchObject([
      { type: "text", text: expect.stringContaining("drawn") },
      { type: "image", mimeType: "image/png" },
    ]);
  });

  test("that repeats a call by its key gets the same answer, picture included, of one run", async () => {
    const call = (code: string) =>
      client.callTool({
        name: "execute_python",
        arguments: { code },
        _meta: { "cove/idempotency-key": "once" },
      });
    const code = "import matplotlib.pyplot as plt\nplt.plot([1])\nopen('runs', 'a').write('x')";
    const [first, again] = [await call(code), await call(code)];
    expect(first.content).toMatchObject([{ type: "text" }, { type: "image", mimeType: "image/png" }]);
    expect(again).toEqual(first);
    expect((await ada.execute("read_file", { file_path: "runs" })).body.content).toBe("x");
    const other = await call("1");
    expect(other).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/another request/) }],
    });
  });

  test("reads a failure as something to act on", async () => {
    const failed = await client.callTool({ name: "execute_bash", arguments: { command: "ls /nowhere" } });
    expect(failed.isError).toBe(true);
    expect(JSON.stringify(failed.content)).toContain("Exit code 2.");
    const refused = await client.callTool({ name: "read_file", arguments: { file_path: "nowhere" } });
    expect(refused).toMatchObject({
      isError: true,
      content: [{ type: "text", text: expect.stringMatching(/nowhere/) }],
    });
  });

  test("hears output as progress while it runs", async () => {
    const heard: string[] = [];
    await client.callTool(
      { name: "execute_bash", arguments: { command: "echo one; sleep 0.3; echo two" } },
      { onprogress: ({ message }) => heard.push(message ?? "") },
    );
    expect(heard.join("")).toBe("one\ntwo\n");
    expect(heard.length).toBeGreaterThan(1);
  });

  test("shares its workspace with every other door, and with no other user", async () => {
    await client.callTool({
      name: "write_file",
      arguments: { file_path: "shared.txt", content: "from mcp" },
    });
    expect((await ada.execute("read_file", { file_path: "shared.txt" })).body.content).toBe("from mcp");
    const bob = await mcpClient(own.cove.url, (await own.caller()).token);
    const other = await bob.callTool({ name: "read_file", arguments: { file_path: "shared.txt" } });
    expect(other.isError).toBe(true);
    await bob.close();
  });

  test("two users, a hundred calls at once: no answer goes astray", async () => {
    const bob = await mcpClient(own.cove.url, (await own.caller()).token);
    const calls = Array.from({ length: 50 }, (_, n) =>
      [client, bob].map(async (caller, who) => {
        const command = `echo ${who}-${n}`;
        const { structuredContent } = await caller.callTool({ name: "execute_bash", arguments: { command } });
        return (structuredContent as { stdout: string }).stdout === `${who}-${n}\n`;
      }),
    );
    expect(await Promise.all(calls.flat())).not.toContain(false);
    await bob.close();
  });
});

async function olderClient(): Promise<OldClient> {
  const old = new OldClient({ name: "old", version: "1" });
  const headers = { authorization: `Bearer ${ada.token}` };
  const url = new URL(`${own.cove.url}/api/mcp`);
  await old.connect(new OldTransport(url, { requestInit: { headers } }) as never);
  return old;
}

describe("a call that is taken back stops its run", () => {
  /** A run that others can see, and whether it still goes on. */
  const command = (name: string) => `echo $$ > ${name}.pid; echo begun; sleep 600`;
  const alive = async (name: string) =>
    (await ada.execute("execute_bash", { command: `kill -0 $(cat ${name}.pid)` })).body.exit_code === 0;
  const begun = (name: string) => expect.poll(() => alive(name), { timeout: 60_000 }).toBe(true);
  const ended = (name: string) => expect.poll(() => alive(name), { timeout: 60_000 }).toBe(false);

  test("by closing the stream, since 2026", async () => {
    const modern = await mcpClient(own.cove.url, ada.token, { revision: "2026-07-28" });
    const abort = new AbortController();
    const call = modern.callTool(
      { name: "execute_bash", arguments: { command: command("modern"), timeout: 600 } },
      { signal: abort.signal },
    );
    await begun("modern");
    abort.abort();
    await expect(call).rejects.toThrow();
    await ended("modern");
    await modern.close();
  });

  test("by a notification, before", async () => {
    const [old, other] = [await olderClient(), await olderClient()];
    const abort = new AbortController();
    const start = (who: OldClient, name: string, signal?: AbortSignal) =>
      who
        .callTool({ name: "execute_bash", arguments: { command: command(name), timeout: 600 } }, undefined, {
          ...(signal && { signal }),
        })
        .catch(() => "taken back");
    // Both number their requests alike; only one of them takes its call back.
    const call = start(old, "old", abort.signal);
    void start(other, "other");
    await begun("old");
    await begun("other");
    abort.abort();
    expect(await call).toBe("taken back");
    await ended("old");
    expect(await alive("other")).toBe(true);
    // A connection that breaks means nothing.
    await other.close();
    expect(await alive("other")).toBe(true);
    await old.close();
    await ada.execute("execute_bash", { command: "kill $(cat other.pid)" });
  });
});

test("the AI SDK's client works as well", async () => {
  const headers = { Authorization: `Bearer ${ada.token}` };
  const ai = await createMCPClient({ transport: { type: "http", url: `${own.cove.url}/api/mcp`, headers } });
  const tools = await ai.tools();
  const options = { toolCallId: "1", messages: [], context: undefined } as never;
  const result = await tools.execute_bash?.execute?.({ command: "echo ai" }, options);
  expect(result).toMatchObject({ structuredContent: { stdout: "ai\n" } });
  await ai.close();
});

test("a client of the older generation works as well", async () => {
  const old = await olderClient();
  expect((await old.listTools()).tools.map(({ name }) => name)).toContain("execute_python");
  const heard: string[] = [];
  const result = await old.callTool(
    { name: "execute_bash", arguments: { command: "echo one; sleep 0.2; echo two" } },
    undefined,
    { onprogress: ({ message }) => heard.push(message ?? "") },
  );
  expect(result.structuredContent).toMatchObject({ status: "completed", stdout: "one\ntwo\n" });
  expect(heard.join("")).toBe("one\ntwo\n");
  await old.close();
});

test("a client may insist on the revision of 2026", async () => {
  const modern = await mcpClient(own.cove.url, ada.token, { revision: "2026-07-28" });
  const result = await modern.callTool({ name: "execute_bash", arguments: { command: "echo modern" } });
  expect(result.structuredContent).toMatchObject({ stdout: "modern\n" });
  await modern.close();
});
