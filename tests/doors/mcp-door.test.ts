// What the MCP door answers to whoever knocks, before and beside the protocol: by HTTP, and when something of ours fails.
import http from "node:http";
import type { Client } from "@modelcontextprotocol/client";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Caller, ownCove } from "../support/caller.ts";
import { mcpClient } from "../support/mcp-client.ts";
import { databaseOf } from "../support/people.ts";

const own = ownCove();
let ada: Caller;
let client: Client;

beforeAll(async () => {
  ada = await own.caller();
  client = await mcpClient(own.cove.url, ada.token);
});

afterAll(() => client.close());

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
