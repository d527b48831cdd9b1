import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Caller, ownCove } from "../support/caller.ts";

const own = ownCove();
let ada: Caller;
let client: Client;

beforeAll(async () => {
  ada = await own.caller();
  client = await connect(ada);
});

afterAll(() => client.close());

async function connect({ token }: Caller): Promise<Client> {
  const made = new Client({ name: "test", version: "1" });
  const headers = { authorization: `Bearer ${token}` };
  await made.connect(
    new StreamableHTTPClientTransport(new URL(`${own.cove.url}/api/mcp`), { requestInit: { headers } }),
  );
  return made;
}

describe("a client", () => {
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
    const bob = await connect(await own.caller());
    const other = await bob.callTool({ name: "read_file", arguments: { file_path: "shared.txt" } });
    expect(other.isError).toBe(true);
    await bob.close();
  });

  test("two users, a hundred calls at once: no answer goes astray", async () => {
    const bob = await connect(await own.caller());
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

test("a client of the older generation works as well", async () => {
  const old = new OldClient({ name: "old", version: "1" });
  const headers = { authorization: `Bearer ${ada.token}` };
  const url = new URL(`${own.cove.url}/api/mcp`);
  await old.connect(new OldTransport(url, { requestInit: { headers } }) as never);
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
  const modern = new Client(
    { name: "modern", version: "1" },
    { versionNegotiation: { mode: { pin: "2026-07-28" } } },
  );
  const headers = { authorization: `Bearer ${ada.token}` };
  const url = new URL(`${own.cove.url}/api/mcp`);
  await modern.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
  const result = await modern.callTool({ name: "execute_bash", arguments: { command: "echo modern" } });
  expect(result.structuredContent).toMatchObject({ stdout: "modern\n" });
  await modern.close();
});

describe("the door", () => {
  const call = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };

  function knock(headers: Record<string, string>, body: unknown = call): Promise<Response> {
    return fetch(`${own.cove.url}/api/mcp`, {
      method: "POST",
      headers: {
        accept: "application/json, text/event-stream",
        "content-type": "application/json",
        ...headers,
      },
      body: typeof body === "string" ? body : JSON.stringify(body),
    });
  }

  test.each([
    ["no token", {}],
    ["a token that isn't one", { authorization: "Bearer cove_nope" }],
    ["a cookie", { cookie: "cove.session=x" }],
  ])("with %s answers 401 in JSON-RPC's shape", async (_what, headers) => {
    const response = await knock(headers as Record<string, string>);
    expect(response.status).toBe(401);
    expect(response.headers.get("www-authenticate")).toContain("Bearer");
    expect(await response.json()).toMatchObject({ jsonrpc: "2.0", error: { message: expect.any(String) } });
  });

  test("refuses a page of another site", async () => {
    const authorization = `Bearer ${ada.token}`;
    expect((await knock({ authorization, origin: "https://evil.example" })).status).toBe(403);
    expect((await knock({ authorization, origin: own.cove.url })).status).toBe(200);
  });

  test.each([
    ["what is not JSON", "{"],
    ["eleven megabytes", JSON.stringify({ ...call, params: { x: "x".repeat(11 * 2 ** 20) } })],
    ["deep nesting", `${"[".repeat(100_000)}${"]".repeat(100_000)}`],
  ])("refuses %s", async (_what, body) => {
    const response = await knock({ authorization: `Bearer ${ada.token}` }, body);
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(response.status).toBeLessThan(500);
  });
});
