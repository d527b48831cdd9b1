// SECURITY.md, "API and MCP": who may enter where, whose things are whose, and what is too much.
import http from "node:http";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ownCove } from "../support/caller.ts";
import { addToken, databaseOf } from "../support/people.ts";
import { newResident, type Resident } from "../support/resident.ts";
import { serverGrowth } from "../support/server-memory.ts";
import { ACTIONS, type Action, actionsInTree, callAction } from "./actions.ts";
import { aConversation, addressOf, type Entry, INVENTORY, type Place, places } from "./inventory.ts";

const own = ownCove();
const all = places();
let admin: Resident;
let ada: Resident;
let bob: Resident;

beforeAll(async () => {
  // The first person is the administrator; the others of these tests are not.
  admin = await newResident(own.cove);
  [ada, bob] = await Promise.all([newResident(own.cove), newResident(own.cove)]);
});

test("every page and door is in the inventory, and nothing else is", () => {
  const found = [...new Set(all.map(({ name }) => name))];
  expect(found.filter((name) => !(name in INVENTORY))).toEqual([]);
  expect(Object.keys(INVENTORY).filter((name) => !found.includes(name))).toEqual([]);
  const taking = all.filter(
    ({ name, takesIds }) => (name.includes("[") || takesIds) && entry(name).guard !== "open",
  );
  const unsaid = taking.filter(({ name }) => !entry(name).own && !entry(name).nobodys);
  expect(unsaid.map(({ name }) => name)).toEqual([]);
});

test("so is every function that pages call on the server", () => {
  expect(actionsInTree()).toEqual(Object.keys(ACTIONS).sort());
});

const doors = (...guards: string[]) =>
  all
    .filter(({ name, kind }) => kind === "door" && guards.includes(INVENTORY[name]?.guard ?? ""))
    .flatMap((place) => place.methods.map((method) => [method, place.name, place] as const));

describe("25. Who may enter where", () => {
  const strangers: [string, () => Promise<Record<string, string>>][] = [
    ["nothing", async () => ({})],
    ["a malformed token", async () => ({ authorization: "Bearer cove_nope" })],
    ["a token of nobody", async () => ({ authorization: `Bearer cove_${"A".repeat(43)}` })],
    ["another scheme", async () => ({ authorization: `Basic ${btoa(`ada:${ada.token}`)}` })],
    ["a revoked token", async () => ({ authorization: `Bearer ${await spentToken("delete")}` })],
    ["an expired token", async () => ({ authorization: `Bearer ${await spentToken("expire")}` })],
  ];

  test.each(doors("token", "admin token", "link"))(
    "%s %s lets in nobody without a good token",
    async (method, _name, place) => {
      for (const [what, headers] of strangers) {
        const response = await knock(place, method, await headers());
        expect([what, response.status]).toEqual([what, 401]);
        const challenge = response.headers.get("www-authenticate");
        expect(challenge).toMatch(what === "nothing" ? /^Bearer realm="Cove"$/ : /error="invalid_token"/);
      }
    },
  );

  test.each(doors("token", "admin token"))(
    "%s %s takes no token in the address, and no cookie",
    async (method, _name, place) => {
      for (const name of ["token", "access_token", "authorization"]) {
        expect((await knock(place, method, {}, `?${name}=${ada.token}`)).status).toBe(401);
      }
      expect((await knock(place, method, { cookie: ada.cookie })).status).toBe(401);
    },
  );

  test.each(doors("token", "admin token"))(
    "%s %s is closed to pages of other sites",
    async (method, _name, place) => {
      const authorization = `Bearer ${ada.token}`;
      for (const origin of ["https://evil.example", "http://localhost.evil.example", "null", "x"]) {
        expect([origin, (await knock(place, method, { authorization, origin })).status]).toEqual([
          origin,
          403,
        ]);
      }
    },
  );

  test.each(doors("admin token"))(
    "%s %s is closed to who is no administrator",
    async (method, _name, place) => {
      expect((await knock(place, method, { authorization: `Bearer ${ada.token}` })).status).toBe(403);
    },
  );

  const pages = all.filter(
    ({ name, kind }) => kind === "page" && ["session", "admin"].includes(INVENTORY[name]?.guard ?? ""),
  );

  test.each(pages.map((place) => [place.name, place] as const))(
    "/%s sends strangers to sign in, whatever token they have",
    async (_name, place) => {
      const token = entry(place.name).shared ? {} : { authorization: `Bearer ${ada.token}` };
      for (const headers of [{}, token, { cookie: "cove.session=x" }]) {
        const response = await knock(place, "GET", headers as Record<string, string>);
        expect(response.status).toBe(307);
        expect(response.headers.get("location")).toMatch(/^\/sign-in\?/);
      }
    },
  );
});

describe("31. Cross-site requests and cookies", () => {
  test("a door of the web refuses strangers, and other sites' pages that bring the cookie along", async () => {
    for (const [method, , place] of doors("session", "admin")) {
      expect([place.name, method, (await knock(place, method, {})).status]).toEqual([
        place.name,
        method,
        401,
      ]);
      const token = { authorization: `Bearer ${ada.token}` };
      expect([place.name, method, (await knock(place, method, token)).status]).toEqual([
        place.name,
        method,
        401,
      ]);
      if (method === "GET") continue;
      const foreign = { cookie: ada.cookie, origin: "https://evil.example" };
      expect([place.name, method, (await knock(place, method, foreign)).status]).toEqual([
        place.name,
        method,
        403,
      ]);
    }
  });
});

test.each(
  all.filter(({ name }) => INVENTORY[name]?.guard === "admin").map((place) => [place.name, place] as const),
)("%s is there for an administrator, and for nobody else", async (_name, place) => {
  for (const method of place.methods) {
    const refused = await knockAs(bob, place, method, {});
    expect([method, isNotFound(place, refused.status, await refused.text())]).toEqual([method, true]);
    const seen = await knockAs(admin, place, method, {});
    expect([method, isNotFound(place, seen.status, await seen.text())]).toEqual([method, false]);
    expect(seen.status).toBeLessThan(500);
  }
});

describe("24. Somebody else's id", () => {
  const taking = all.filter(({ name }) => INVENTORY[name]?.own);

  test("is 404 at every place that takes one", { timeout: 300_000 }, async () => {
    for (const place of taking) {
      const values = (await entry(place.name).own?.(ada)) ?? {};
      // What isn't there any more is 404 for everybody, so nothing is deleted before it was read.
      for (const method of place.methods.toSorted((a) => (a === "GET" ? -1 : 1))) {
        const foreign = await knockAs(bob, place, method, values);
        const answer = await foreign.text();
        const seen = isNotFound(place, foreign.status, answer) || [foreign.status, answer.slice(0, 500)];
        expect([place.name, method, seen]).toEqual([place.name, method, true]);
        if (method !== "GET" || place.name.endsWith("stream")) continue;
        const own = await knockAs(ada, place, method, values);
        expect([place.name, method, own.status]).not.toEqual([place.name, method, 404]);
        await own.body?.cancel();
      }
    }
  });

  test.each(Object.keys(ACTIONS).filter((name) => ACTIONS[name]?.own))(
    "changes nothing in the hands of %s",
    async (name) => {
      const eve = await newResident(own.cove);
      const { own: make, still, by } = ACTIONS[name] as Required<Action>;
      const values = await make(eve);
      const answer = await callAction(bob, name, values);
      // The form is told; nothing is found, nobody is sent anywhere.
      expect([name, answer]).toEqual([name, expect.stringMatching(/^200 .*"problem":"/s)]);
      expect([name, await still(eve, values)]).toEqual([name, true]);
      // And it would have done it for whoever may.
      const allowed = by === "admin" ? admin : eve;
      expect([name, await callAction(allowed, name, values)]).toEqual([
        name,
        expect.not.stringMatching(/"problem"/),
      ]);
    },
  );

  test("is not found in a conversation of one's own either", async () => {
    const [hers, his] = await Promise.all([aConversation(ada), aConversation(bob)]);
    const at = `/api/conversations/${his.id}`;
    const stream = await fetch(...bob.get(`${at}/stream?message=${hers.message}`));
    expect(stream.status).toBe(404);
    await expect(bob.post(`${at}/turns`, { text: "!true", replaces: hers.question })).rejects.toThrow(/404/);
  });

  test("is not found by a tool either", async () => {
    const { body } = await ada.execute("execute_bash", { command: "sleep 30", background: true });
    for (const tool of ["check_execution", "stop_execution"]) {
      const foreign = await bob.execute(tool, { execution_id: body.execution_id });
      expect([tool, foreign.status]).toEqual([tool, 404]);
    }
    const own = await ada.execute("check_execution", { execution_id: body.execution_id, wait: 0 });
    expect(own.body.status).toBe("running");
    await ada.execute("stop_execution", { execution_id: body.execution_id });
  });
});

describe("26. Answers that could be crossed", () => {
  test("two users, a hundred calls at once: no answer goes astray", async () => {
    const calls = Array.from({ length: 50 }, (_, n) =>
      [ada, bob].map(async (who, index) => {
        const word = `${index}-${n}`;
        const { body } = await who.execute("execute_bash", { command: `echo ${word}` });
        return body.stdout === `${word}\n` ? "right" : body;
      }),
    );
    expect(new Set(await Promise.all(calls.flat()))).toEqual(new Set(["right"]));
  });
});

describe("27. Bodies that are too much", () => {
  const deep = (depth: number) => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;
  const call = (args: string) => `{"name":"execute_bash","arguments":${args}}`;
  const fifty = Buffer.alloc(50 * 2 ** 20, " ");
  const bodies: [string, () => string | Buffer][] = [
    ["50 MB", () => fifty],
    ["a call of 11 MB", () => call(`{"command":"${"x".repeat(11 * 2 ** 20)}"}`)],
    ["JSON a hundred thousand levels deep", () => deep(100_000)],
    ["a call with arguments that deep", () => call(deep(100_000))],
    ["a batch of thousands", () => `[${Array(5000).fill(call('{"command":"true"}')).join(",")}]`],
    ["a prototype", () => '{"__proto__":{"name":"execute_bash","arguments":{"command":"true"}}}'],
    ["a prototype among the arguments", () => call('{"__proto__":{"command":"touch polluted"}}')],
    ["no UTF-8", () => Buffer.from([0x22, 0xff, 0x22])],
    ["nothing", () => ""],
  ];
  const takers = all.filter(
    ({ name, methods, kind }) =>
      kind === "door" &&
      methods.includes("POST") &&
      INVENTORY[name]?.guard === "token" &&
      name !== "api/conformance",
  );
  // Ten bodies are read at once, each no further than 10 MB; the rest is what any server breathes.
  const MOST_GROWTH = 400 * 2 ** 20;
  const agent = new http.Agent({ keepAlive: true });
  afterAll(() => agent.destroy());

  test.each(takers.map((place) => [place.name, place] as const))(
    "is refused by %s, and it goes on",
    async (_name, place) => {
      for (const [what, body] of bodies) {
        const { status, text } = await send(place, Buffer.from(body()));
        expect([what, status, text]).toEqual([what, expect.toSatisfy(isRefusal), text]);
        expect([what, JSON.parse(text)]).toMatchObject([what, { error: { message: expect.any(String) } }]);
      }
      const many = () => Promise.all(Array.from({ length: 10 }, () => send(place, fifty)));
      const { grown, result } = await serverGrowth(own.cove, many);
      expect(result.map(({ status }) => status).filter((status) => !isRefusal(status))).toEqual([]);
      expect(grown).toBeLessThan(MOST_GROWTH);
      expect((await fetch(`${own.cove.url}/health`)).status).toBe(200);
      const { body } = await ada.execute("execute_bash", { command: "ls" });
      expect(body.stdout).not.toContain("polluted");
    },
  );

  test("beside a good call does it no harm", async () => {
    const args = `{"command":"echo fine","x":${deep(100_000)},"__proto__":{"command":"touch polluted"}}`;
    const { status, text } = await send(placeOf("api/execute"), Buffer.from(call(args)));
    expect([status, JSON.parse(text)]).toMatchObject([200, { status: "completed", stdout: "fine\n" }]);
    const list = `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"x":${deep(100_000)}}}`;
    const listed = await send(placeOf("api/mcp"), Buffer.from(list));
    expect(listed.status).toBe(200);
    const tool = `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"execute_bash","arguments":${args}}}`;
    const called = await send(placeOf("api/mcp"), Buffer.from(tool));
    expect([called.status, called.text]).toEqual([200, expect.stringContaining("fine")]);
  });

  function isRefusal(status: number): boolean {
    return status >= 400 && status < 500;
  }

  function placeOf(wanted: string): Place {
    const found = all.find(({ name }) => name === wanted);
    if (!found) throw new Error(`There is no ${wanted}.`);
    return found;
  }

  /** As clients do that use their connection again: the server reads on to keep it, and the refusal arrives. */
  function send(place: Place, body: Buffer): Promise<{ status: number; text: string }> {
    const headers = {
      ...{ authorization: `Bearer ${ada.token}`, "content-type": "application/json" },
      ...{ accept: "application/json, text/event-stream", "content-length": body.length },
    };
    return new Promise((resolve, reject) => {
      const address = own.cove.url + addressOf(place);
      const request = http.request(address, { method: "POST", headers, agent }, (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (chunk) => {
          text += chunk;
        });
        response.once("end", () => resolve({ status: response.statusCode ?? 0, text }));
      });
      request.once("error", reject).end(body);
    });
  }
});

function entry(name: string): Entry {
  const found = INVENTORY[name];
  if (!found) throw new Error(`Add "${name}" to tests/attacks/inventory.ts.`);
  return found;
}

/** A stream says it in its first event; a page that has begun to be sent says it in what follows. */
function isNotFound(place: Place, status: number, answer: string): boolean {
  if (status === 404) return true;
  if (place.kind === "page") return status === 200 && answer.includes("NEXT_HTTP_ERROR_FALLBACK;404");
  const { stream, none } = entry(place.name);
  if (stream) return /^event: error\ndata: .*"not_found"/.test(answer);
  return none?.test(answer) ?? false;
}

function knockAs(
  who: Resident,
  place: Place,
  method: string,
  values: Record<string, string>,
): Promise<Response> {
  const { guard, query } = entry(place.name);
  const asked = typeof query === "function" ? query(values) : query;
  const byToken = guard === "token";
  const headers: Record<string, string> = byToken
    ? { authorization: `Bearer ${who.token}` }
    : { cookie: who.cookie };
  return knock(place, method, headers, asked, values);
}

function knock(
  place: Place,
  method: string,
  headers: Record<string, string>,
  query = "",
  values: Record<string, string> = {},
): Promise<Response> {
  const address = own.cove.url + addressOf(place, values) + query;
  if (method === "GET") return fetch(address, { headers, redirect: "manual" });
  const { body: given = {} } = entry(place.name);
  const body = JSON.stringify(typeof given === "function" ? given(values) : given);
  return fetch(address, {
    method,
    redirect: "manual",
    headers: { "content-type": "application/json", ...headers },
    body,
  });
}

async function spentToken(how: "delete" | "expire"): Promise<string> {
  const token = await addToken(own.cove.dataDir, ada.id, how);
  const { db } = await databaseOf(own.cove.dataDir);
  await db.execute(
    how === "delete"
      ? sql`delete from api_tokens where name = 'delete' and user_id = ${ada.id}`
      : sql`update api_tokens set expires_at = now() - interval '1 second' where name = 'expire' and user_id = ${ada.id}`,
  );
  return token;
}
