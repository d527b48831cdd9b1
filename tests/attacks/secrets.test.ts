// SECURITY.md 32: somebody lives a whole day with every secret they have, good and bad ones; then everything that was written
// down is read, the database and the log at its most talkative.

import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { callerWith, ownCove } from "../support/caller.ts";
import { cleanEnv, root } from "../support/cove.ts";
import { dumpOf, secretsIn } from "../support/dump.ts";
import { mcpClient } from "../support/mcp-client.ts";
import { startModelServer } from "../support/model-server.ts";
import { sessionCookie } from "../support/session-cookie.ts";
import { personAt } from "../support/web-person.ts";

const model = await startModelServer();
model.script(
  "plotter",
  { calls: [{ name: "execute_bash", arguments: { command: "echo drawn > plot.txt" } }] },
  { text: "Drawn." },
);
const own = ownCove({
  COVE_MODEL_ALLOW: new URL(model.openai).host,
  COVE_OPENAI_URL: model.openai,
  GEMINI_API_KEY: `gm-${randomBytes(16).toString("hex")}`,
  COVE_LOG_LEVEL: "debug",
});
const email = "ada@example.com";
const known = {
  password: randomBytes(16).toString("hex"),
  modelKey: model.key,
  wrongKey: "sk-wrong-0123456789abcdef",
};
let secrets: Record<string, string>;

beforeAll(async () => {
  await cli("user", "add", email, "--password", known.password);
  const token = await cli("token", "create", email, "--name", "hers");
  const cookie = await sessionCookie(own.cove.url, email, known.password);
  const session = /cove\.session=([^;]+)/.exec(cookie)?.[1] ?? "";
  await sessionCookie(own.cove.url, email, `${known.password}-wrong`).catch(() => undefined);
  const { id } = JSON.parse(await cli("user", "list")).find(
    (user: { email: string }) => user.email === email,
  );
  const link = await liveWith(token, personAt(own.cove.url, { id, email, cookie }));
  secrets = {
    ...known,
    token,
    session,
    device: /cove\.device=([^;]+)/.exec(cookie)?.[1] ?? "",
    csrf: /csrf-token=([^;%]+)/.exec(cookie)?.[1] ?? "absent from this cookie jar",
    signature: new URL(link).searchParams.get("signature") ?? "",
    AUTH_SECRET: (await readFile(path.join(own.cove.dataDir, "secret"), "utf8")).trim(),
    GEMINI_API_KEY: own.cove.env.GEMINI_API_KEY ?? "",
  };
  expect(Object.entries(secrets).filter(([, value]) => value.length < 16)).toEqual([]);
}, 180_000);
afterAll(() => model.close());

describe("32. Secrets at rest and in logs", () => {
  test("a dump of the database holds none that opens anything", async () => {
    const dump = await dumpOf(own.cove.dataDir);
    expect(dump).toContain(email);
    expect(secretsIn(dump, secrets)).toEqual([]);
    expect(dump).not.toMatch(/signature=/);
  });

  test("the log at its most talkative holds none either", () => {
    expect(own.cove.output()).toContain('"path":"/execute"');
    expect(secretsIn(own.cove.output(), secrets)).toEqual([]);
    expect(own.cove.output()).not.toMatch(/signature=/);
  });
});

/** Uses everything at every kind of door, rightly and wrongly. Resolves to a signed link. */
async function liveWith(token: string, ada: ReturnType<typeof personAt>): Promise<string> {
  const { url } = own.cove;
  const rest = callerWith(url, email, token);
  const once = ["execute_bash", { command: "echo made > made.txt" }, { "idempotency-key": "once" }] as const;
  const { body } = await rest.execute(...once);
  const link: string = body.artifacts[0].url;
  expect((await fetch(link)).status).toBe(200);
  const again = await rest.execute(...once);
  expect((await fetch(again.body.artifacts[0].url)).status).toBe(200);
  await fetch(link.replace(/signature=./, "signature=x"));
  await rest.execute("execute_bash", { command: "exit 3" });
  await rest.execute("no_such_tool");
  await fetch(`${url}/execute`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}` },
    body: "{not json",
  });
  await fetch(`${url}/execute?token=${token}`, { method: "POST" });
  await fetch(`${url}/tools`, { headers: { authorization: `Bearer ${token}x` } });
  const client = await mcpClient(url, token);
  await client.callTool({ name: "execute_bash", arguments: { command: "echo more > more.txt" } });
  await client.callTool({ name: "list_artifacts", arguments: {} });
  await client.close();
  for (const key of [known.wrongKey, known.modelKey]) {
    expect((await ada.call("PUT", "/api/model-keys/openai", { key })).status).toBe(200);
    await ada.call("POST", "/api/model-keys/openai/test");
  }
  await ada.ask(await ada.newChat(), "Draw", { model: "openai/plotter" });
  expect(
    (await ada.call("POST", `/api/artifacts/${body.artifacts[0].id}/links`, { seconds: 3600 })).status,
  ).toBeLessThan(500);
  await ada.send("/settings/tokens");
  await ada.send(`/api/artifacts/${body.artifacts[0].id}/links`, {
    method: "POST",
    body: "{",
    headers: { origin: "https://evil.example" },
  });
  return link;
}

async function cli(...args: string[]): Promise<string> {
  const env = cleanEnv({ COVE_DATA_DIR: own.cove.dataDir });
  const { stdout } = await promisify(execFile)(process.execPath, ["scripts/cove.ts", ...args], {
    cwd: root,
    env,
  });
  return stdout.trim();
}
