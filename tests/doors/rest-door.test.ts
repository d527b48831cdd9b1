// The REST door itself: how it describes itself, what it refuses, and how.
import { Ajv2020 } from "ajv/dist/2020.js";
import { beforeAll, describe, expect, test } from "vitest";
import { type Caller, ownCove } from "../support/caller.ts";
import { jsonRequest } from "../support/json-request.ts";

const LIMIT = 400;
const own = ownCove({ COVE_RATE_LIMIT: String(LIMIT) });
let ada: Caller;

beforeAll(async () => {
  ada = await own.caller();
});

test("the door describes itself to everybody", async () => {
  const { method: _method, body: _body, ...get } = jsonRequest(ada.token, {});
  const document = await (await fetch(`${own.cove.url}/openapi.json`)).json();
  expect(document).toMatchObject({
    openapi: "3.1.0",
    paths: { "/execute": { post: { operationId: "execute" } } },
  });
  const ajv = new Ajv2020({ strict: false });
  ajv.addSchema({ ...document, $id: "cove" });
  const holds = (pointer: string, answer: unknown) => {
    const validate = ajv.compile({ $ref: `cove#/components/${pointer}` });
    expect([pointer, validate(answer), validate.errors]).toEqual([pointer, true, null]);
  };
  const read = async (path: string) => (await fetch(own.cove.url + path, get)).json();
  holds("schemas/Health", await read("/health"));
  holds("schemas/Tools", await read("/tools"));
  holds("schemas/Skills", await read("/skills"));
  holds("schemas/SkillBody", await read("/skills/data-analysis"));
  holds("schemas/Error", await read("/skills/nowhere"));
  for (const call of [
    { name: "execute_bash", arguments: { command: "exit 3" } },
    { name: "write_file", arguments: { file_path: "described.txt", content: "" } },
  ]) {
    holds("schemas/Call", call);
    holds(
      "schemas/Result",
      await (await fetch(`${own.cove.url}/execute`, jsonRequest(ada.token, call))).json(),
    );
  }

  // What it names is there, and what it asks for is what the door asks for.
  for (const [path, methods] of Object.entries<Record<string, unknown>>(document.paths)) {
    for (const method of Object.keys(methods)) {
      const init = method === "get" ? get : jsonRequest(ada.token, {});
      const { status } = await fetch(own.cove.url + path.replaceAll(/[{]\w+[}]/g, "x"), init);
      const fine = path.includes("{") ? [200, 404] : [method === "get" ? 200 : 400];
      expect(fine, `${method} ${path}`).toContain(status);
    }
  }
});

describe("bad input", () => {
  test.each([
    ["an unknown tool", "nope", {}, 404],
    ["a missing argument", "execute_bash", {}, 400],
    ["a wrong type", "execute_bash", { command: 1 }, 400],
    ["a negative timeout", "execute_bash", { command: "true", timeout: -1 }, 400],
    ["an id that is none", "check_execution", { execution_id: "../x" }, 400],
    ["a working directory that isn't there", "execute_bash", { command: "pwd", cwd: "/nowhere" }, 404],
  ])("%s is refused", async (_what, name, args, status) => {
    const answer = await ada.execute(name, args);
    expect(answer.status).toBe(status);
    expect(answer.body.error.message).toMatch(/\w/);
  });

  test("more calls than allowed are told when to come back", async () => {
    const bob = await own.caller();
    const call = () => fetch(`${own.cove.url}/execute`, jsonRequest(bob.token, { name: "nope" }));
    // The bucket refills meanwhile, on a slow machine by a good deal.
    let refused: Response[] = [];
    while (refused.length === 0) {
      const answers = await Promise.all(Array.from({ length: LIMIT / 2 }, call));
      refused = answers.filter(({ status }) => status === 429);
    }
    expect(Number(refused[0]?.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(refused[0]?.headers.get("ratelimit-policy")).toBe(`"calls";q=${LIMIT};w=60`);
    expect(refused[0]?.headers.get("ratelimit")).toMatch(/^"calls";r=0;t=\d+$/);
    expect((await ada.execute("sandbox_info")).status).toBe(200);
  });
});

describe("where there is no door", () => {
  const authorization = () => ({ authorization: `Bearer ${ada.token}` });

  test.each([
    ["GET", "/execute", "POST"],
    ["DELETE", "/execute/stream", "POST"],
    ["POST", "/tools", "GET"],
    ["PUT", "/openapi.json", "GET"],
  ])("%s %s says which method there is", async (method, path, allow) => {
    const response = await fetch(own.cove.url + path, { method, headers: authorization() });
    expect([response.status, response.headers.get("allow")]).toEqual([405, allow]);
    expect(await response.json()).toMatchObject({ error: { code: "method_not_allowed" } });
    expect((await fetch(own.cove.url + path, { method })).status).toBe(401);
  });

  test.each(["/api/nowhere", "/api/execute/nowhere/at/all", "/execute/nowhere"])(
    "%s says so in the shape of every refusal",
    async (path) => {
      for (const method of ["GET", "POST"]) {
        const response = await fetch(own.cove.url + path, { method, headers: authorization() });
        expect(response.status).toBe(404);
        expect(await response.json()).toMatchObject({ error: { code: "not_found" } });
      }
    },
  );
});

test("the metrics are there for an administrator, and count what ran", async () => {
  // The first one who came is the administrator.
  await ada.execute("execute_bash", { command: "exit 1" });
  const response = await fetch(`${own.cove.url}/metrics`, {
    headers: { authorization: `Bearer ${ada.token}` },
  });
  expect(response.status).toBe(200);
  const text = await response.text();
  expect(text).toMatch(
    /^cove_executions_total\{[^}]*tool="execute_bash",door="rest",outcome="failed"[^}]*\} [1-9]/m,
  );
  expect(text).toMatch(/^cove_execution_seconds_bucket\{/m);
});
