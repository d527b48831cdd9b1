// A person's own model server and key: what could be reached or read with them (SECURITY 28 and 32).
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ownCove } from "../support/caller.ts";
import { dumpOf, secretsIn } from "../support/dump.ts";
import { startModelServer } from "../support/model-server.ts";
import { databaseOf } from "../support/people.ts";
import { newWebPerson, type WebPerson } from "../support/web-person.ts";

const model = await startModelServer();
model.script("gpt-scripted", { text: "hi" });
const site = new URL(model.openai).host;
let knocks = 0;
// Something on the host that answers everybody, as metadata services and admin pages do.
const victim = await listening("0.0.0.0", (_request, response) => {
  knocks += 1;
  response.end('{"data":[{"id":"stolen"}]}');
});
let sentOn = 0;
// One that may be asked, and sends whoever asks on to the other.
const redirecting = await listening("127.0.0.1", (request, response) => {
  sentOn += 1;
  request.resume();
  response.writeHead(307, { location: `http://127.0.0.1:${port()}${request.url}` }).end();
});
const redirectingSite = `127.0.0.1:${portOf(redirecting)}`;
const own = ownCove({
  COVE_MODEL_ALLOW: `${site},${redirectingSite}`,
  COVE_OPENAI_URL: model.openai,
  COVE_LOG_LEVEL: "debug",
});
let ada: WebPerson;

beforeAll(async () => {
  ada = await newWebPerson(own.cove);
});

afterAll(async () => {
  victim.close();
  redirecting.close();
  await model.close();
});

async function listening(address: string, answer: RequestListener): Promise<Server> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, address, resolve));
  return server;
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

function port(): number {
  return portOf(victim);
}

function name(baseUrl: string) {
  return ada.call("PUT", "/api/model-keys/local", { key: "sk-whatever-it-takes", baseUrl });
}

describe("28. Model servers at private addresses", () => {
  test.each([
    "http://127.0.0.1:PORT/v1",
    "http://127.1:PORT/v1",
    "http://2130706433:PORT/v1",
    "http://0x7f000001:PORT/v1",
    "http://017700000001:PORT/v1",
    "http://0.0.0.0:PORT/v1",
    "http://localhost:PORT/v1",
    "http://LOCALHOST.:PORT/v1",
    "http://[::1]:PORT/v1",
    "http://[::ffff:127.0.0.1]:PORT/v1",
    "http://169.254.169.254/latest/meta-data/",
    "http://[fd00:ec2::254]/latest/",
    "http://metadata.google.internal/",
    "http://10.0.0.1/v1",
    "http://172.17.0.1:PORT/v1",
    "http://user:pass@127.0.0.1:PORT/v1",
  ])("one at %s is refused, and nobody knocks there", async (url) => {
    const { status, body } = await name(url.replace("PORT", String(port())));
    expect([status, body.error.code]).toEqual([400, "bad_request"]);
    expect(knocks).toBe(0);
  });

  test.each(["file:///etc/passwd", "ftp://example.com", "javascript:alert(1)", "gopher://127.0.0.1", "x"])(
    "%s is no address",
    async (url) => {
      expect((await name(url)).status).toBe(400);
    },
  );

  test("one that sends whoever asks on to somewhere else is not followed there", async () => {
    expect((await name(`http://${redirectingSite}/v1`)).status).toBe(200);
    const tested = await ada.call("POST", "/api/model-keys/local/test");
    expect(tested.body).toMatchObject({ ok: false });
    expect((await ada.call("GET", "/api/models")).body.models).toEqual([]);
    const { answer } = await ada.ask(await ada.newChat(), "hi", { model: "local/stolen" });
    expect(answer.metadata).toMatchObject({ status: "failed" });
    expect(sentOn).toBeGreaterThanOrEqual(3);
    expect(knocks).toBe(0);
  });

  test("one whose address was changed in the database is not asked: the key was sealed for the old one", async () => {
    await name(model.openai);
    const { db } = await databaseOf(own.cove.dataDir);
    await db.execute(
      sql`update model_keys set base_url = ${`http://127.0.0.1:${port()}/v1`} where user_id = ${ada.id}`,
    );
    const tested = await ada.call("POST", "/api/model-keys/local/test");
    expect(tested.body).toMatchObject({ ok: false });
    expect(knocks).toBe(0);
  });

  test("one that the operator named is reached, on that very port alone", async () => {
    expect((await name(model.openai)).status).toBe(200);
    const other = new URL(model.openai);
    other.port = String(port());
    expect((await name(other.href)).status).toBe(400);
    expect(knocks).toBe(0);
  });
});

describe("32. Secrets at rest and in logs", () => {
  const KEY = "sk-very-secret-0123456789abcdef";

  test("a key of one's own is nowhere to be read again: no answer, no row, no log", async () => {
    await ada.call("PUT", "/api/model-keys/openai", { key: KEY });
    const answers = [
      await ada.call("GET", "/api/model-keys"),
      await ada.call("POST", "/api/model-keys/openai/test"),
      await ada.call("GET", "/api/models"),
    ];
    expect(answers[1]?.body).toMatchObject({
      ok: false,
      message: expect.stringContaining("refused the API key"),
    });
    expect(JSON.stringify(answers)).not.toContain(KEY);
    const chat = await ada.newChat();
    const { answer } = await ada.ask(chat, "hi", { model: "openai/gpt-scripted" });
    expect(answer.metadata).toMatchObject({
      status: "failed",
      error: expect.stringContaining("refused the API key"),
    });
    expect(JSON.stringify(answer)).not.toContain(KEY);
    expect(secretsIn(await dumpOf(own.cove.dataDir), { KEY })).toEqual([]);
    expect(secretsIn(own.cove.output(), { KEY })).toEqual([]);
  });

  test("a key that is moved to somebody else's row opens nothing", async () => {
    const bob = await newWebPerson(own.cove);
    await ada.call("PUT", "/api/model-keys/openai", { key: model.key });
    expect((await ada.call("POST", "/api/model-keys/openai/test")).body).toMatchObject({ ok: true });
    const { db } = await databaseOf(own.cove.dataDir);
    await db.execute(sql`insert into model_keys select ${bob.id}, provider, secret, hint, base_url, created_at
      from model_keys where user_id = ${ada.id} and provider = 'openai'`);
    const before = model.asked.length;
    expect((await bob.call("GET", "/api/models")).body.models).toEqual([]);
    const used = await bob.call("POST", `/api/conversations/${await bob.newChat()}/turns`, {
      text: "hi",
      model: "openai/gpt-scripted",
    });
    expect(used.status).toBe(404);
    expect(model.asked.length).toBe(before);
  });

  test("a key is its owner's alone", async () => {
    const bob = await newWebPerson(own.cove);
    await ada.call("PUT", "/api/model-keys/openai", { key: model.key });
    expect((await bob.call("GET", "/api/model-keys")).body).toEqual([]);
    expect((await bob.call("DELETE", "/api/model-keys/openai")).status).toBe(404);
    expect((await bob.call("POST", "/api/model-keys/openai/test")).status).toBe(404);
    expect((await ada.call("POST", "/api/model-keys/openai/test")).body).toMatchObject({ ok: true });
  });

  test("a key is not taken from another site, nor without a session", async () => {
    const init = {
      method: "PUT",
      body: JSON.stringify({ key: KEY }),
      headers: { "content-type": "application/json", origin: "https://evil.example" },
    };
    expect((await ada.send("/api/model-keys/google", init)).status).toBe(403);
    const { origin: _evil, ...headers } = init.headers;
    expect((await fetch(`${own.cove.url}/api/model-keys/google`, { ...init, headers })).status).toBe(401);
  });
});
