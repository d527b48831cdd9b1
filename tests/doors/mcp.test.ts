import http from "node:http";
import { createMCPClient } from "@ai-sdk/mcp";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Caller, ownCove } from "../support/caller.ts";
import { databaseOf } from "../support/people.ts";

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

/** Begun first, because it takes 45 s until they are handed over, and looked at last. */
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
    const modern = new Client(
      { name: "modern", version: "1" },
      { versionNegotiation: { mode: { pin: "2026-07-28" } } },
    );
    const headers = { authorization: `Bearer ${ada.token}` };
    const url = new URL(`${own.cove.url}/api/mcp`);
    await modern.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
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
    const challenge = "authorization" in headers ? /error="invalid_token"/ : /^Bearer realm="Cove"$/;
    expect(response.headers.get("www-authenticate")).toMatch(challenge);
    expect(await response.json()).toMatchObject({ jsonrpc: "2.0", error: { message: expect.any(String) } });
  });

  test("says how much of the limit is left", async () => {
    const { headers } = await knock({ authorization: `Bearer ${ada.token}` });
    expect(headers.get("ratelimit-policy")).toMatch(/^"calls";q=\d+;w=60$/);
    expect(headers.get("ratelimit")).toMatch(/^"calls";r=\d+;t=\d+$/);
  });

  test("is known by its own names alone", async () => {
    const { port } = new URL(own.cove.url);
    expect(await statusFor(`localhost:${port}`)).toBe(200);
    for (const host of ["evil.example", `evil.example:${port}`, "localhost.evil.example"]) {
      expect([host, await statusFor(host)]).toEqual([host, 403]);
    }
  });

  /** `fetch` doesn't let anybody choose the name. */
  function statusFor(host: string): Promise<number | undefined> {
    const headers = {
      ...{ host, authorization: `Bearer ${ada.token}`, "content-type": "application/json" },
      accept: "application/json, text/event-stream",
    };
    return new Promise((resolve, reject) => {
      const request = http.request(`${own.cove.url}/api/mcp`, { method: "POST", headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      request.once("error", reject).end(JSON.stringify(call));
    });
  }

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

describe("when something of ours fails", () => {
  const apology = /Something went wrong on our side/;

  test("a call is answered with a sentence, the record has no more, and the log has all of it", async () => {
    const { db } = await databaseOf(own.cove.dataDir);
    await db.execute(
      sql`alter table executions add constraint broken check (arguments not like '%spell-%') not valid`,
    );
    const command = "echo spell-of-disaster";
    const result = await client.callTool({ name: "execute_bash", arguments: { command } });
    await db.execute(sql`alter table executions drop constraint broken`);
    expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringMatching(apology) }] });
    expect(JSON.stringify(result)).not.toMatch(/insert into|constraint|spell/i);
    await expect.poll(() => own.cove.output()).toMatch(/"level":"error".*broken/);
    expect(own.cove.output()).not.toContain("spell-of-disaster");
  });

  test("so is a request for the prompt, or for a resource", async () => {
    const { db } = await databaseOf(own.cove.dataDir);
    await db.execute(sql`alter table skills rename to skills_away`);
    const asked = await Promise.allSettled([
      client.getPrompt({ name: "agent_system_prompt" }),
      client.listResources(),
      client.readResource({ uri: "skill://data-analysis/SKILL.md" }),
    ]);
    await db.execute(sql`alter table skills_away rename to skills`);
    for (const one of asked) {
      expect(one).toMatchObject({ status: "rejected", reason: { message: expect.stringMatching(apology) } });
      expect(JSON.stringify(one)).not.toMatch(/skills_|relation|select/i);
    }
    await client.getPrompt({ name: "agent_system_prompt" });
  });
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
