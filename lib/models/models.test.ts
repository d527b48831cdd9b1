import { createServer } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findModelKeys } from "#db/queries/model-keys.ts";
import { insertUser } from "#db/queries/users.ts";
import { type ModelServer, startModelServer } from "../../tests/support/model-server.ts";
import { ownDatabase } from "../../tests/support/own-database.ts";
import { setVariables } from "../../tests/support/own-environment.ts";
import { db } from "../database.ts";
import { checkedFetch, checkModelUrl } from "./checked-fetch.ts";
import { chooseModel } from "./choose-model.ts";
import { listModels } from "./list-models.ts";
import { modelKeysOf, removeModelKey, saveModelKey, testModelKey } from "./model-keys.ts";

ownDatabase();
let server: ModelServer;
let site: string;

beforeAll(async () => {
  server = await startModelServer();
  site = new URL(server.openai).host;
  setVariables({
    COVE_GEMINI_URL: server.gemini,
    COVE_OPENAI_URL: server.openai,
    COVE_MODEL_ALLOW: site,
  });
});

afterAll(() => server.close());

async function somebody(): Promise<string> {
  const email = `${Math.random()}@example.com`;
  const user = await insertUser(db(), { email, name: "Ada", passwordHash: "x" });
  if (!user) throw new Error("Nobody was added.");
  return user.id;
}

describe("without any key", () => {
  test("there is no model, and a sentence says how to connect one", async () => {
    const ada = await somebody();
    expect(await listModels(ada)).toMatchObject({
      models: [],
      default: null,
      reason: expect.stringContaining("Settings → Models"),
    });
    await expect(chooseModel(ada)).rejects.toMatchObject({ code: "bad_request" });
  });
});

describe("a key of one's own", () => {
  test("opens its provider's models for its owner, and for nobody else", async () => {
    const [ada, bob] = [await somebody(), await somebody()];
    await saveModelKey(ada, "google", { key: server.key });
    const { models, default: first } = await listModels(ada);
    expect(models).toContainEqual({ id: "google/gemini-echo", label: "gemini-echo" });
    expect(first).toMatch(/^google\//);
    expect((await chooseModel(ada, "google/gemini-echo")).id).toBe("google/gemini-echo");
    expect((await listModels(bob)).models).toEqual([]);
    await expect(chooseModel(bob, "google/gemini-echo")).rejects.toMatchObject({ code: "not_found" });
  });

  test("is never shown again and not in the database as it is", async () => {
    const ada = await somebody();
    await saveModelKey(ada, "google", { key: server.key });
    expect(await modelKeysOf(ada)).toEqual([
      { provider: "google", hint: `…${server.key.slice(-4)}`, createdAt: expect.any(Date) },
    ]);
    const [row] = await findModelKeys(db(), ada);
    expect(row?.secret.includes(server.key)).toBe(false);
  });

  test("is tested by using it", async () => {
    const ada = await somebody();
    await saveModelKey(ada, "google", { key: server.key });
    expect(await testModelKey(ada, "google")).toMatchObject({ ok: true });
    await saveModelKey(ada, "google", { key: "AIza-a-wrong-key-entirely" });
    const tested = await testModelKey(ada, "google");
    expect(tested).toMatchObject({ ok: false, message: expect.stringContaining("refused the API key") });
    expect(tested.message).not.toContain("AIza");
  });

  test("can be removed", async () => {
    const ada = await somebody();
    await saveModelKey(ada, "google", { key: server.key });
    await removeModelKey(ada, "google");
    expect((await listModels(ada)).models).toEqual([]);
    await expect(removeModelKey(ada, "google")).rejects.toMatchObject({ code: "not_found" });
    await expect(testModelKey(ada, "google")).rejects.toMatchObject({ code: "not_found" });
  });

  test("a server of one's own needs an address, and the others take none", async () => {
    const ada = await somebody();
    await expect(saveModelKey(ada, "local", { key: "" })).rejects.toMatchObject({ field: "baseUrl" });
    await expect(
      saveModelKey(ada, "openai", { key: "sk", baseUrl: "https://example.com" }),
    ).rejects.toMatchObject({ field: "baseUrl" });
    await expect(saveModelKey(ada, "openai", { key: " " })).rejects.toMatchObject({ field: "key" });
    await saveModelKey(ada, "local", { key: server.key, baseUrl: `${server.openai}/` });
    expect((await listModels(ada)).models).toContainEqual({ id: "local/echo", label: "echo" });
  });
});

describe("an address that somebody named", () => {
  test.each([
    "http://127.0.0.1:9/v1",
    "http://localhost:9/v1",
    "http://[::1]:9/v1",
    "http://0.0.0.0:9/v1",
    "http://169.254.169.254/latest/meta-data",
    "http://10.0.0.1/v1",
    "http://192.168.1.1/v1",
    "http://[::ffff:127.0.0.1]:9/v1",
    "http://2130706433:9/v1",
    "http://0x7f.1:9/v1",
  ])("is refused when it is %s", async (url) => {
    await expect(checkModelUrl(url)).rejects.toMatchObject({
      code: "bad_request",
      message: expect.stringContaining("private address"),
    });
    await expect(checkedFetch(url)).rejects.toMatchObject({ code: "bad_request" });
  });

  test("that never stops talking is cut off", async () => {
    const endless = createServer((_request, response) => {
      const talk = () => {
        while (!response.destroyed && response.write(Buffer.alloc(2 ** 20, "x"))) {}
      };
      response.on("drain", talk);
      talk();
    });
    // The one private address that is allowed here.
    await server.close();
    await new Promise<void>((resolve) => endless.listen(Number(site.split(":")[1]), "127.0.0.1", resolve));
    const response = await checkedFetch(`http://${site}/`);
    await expect(response.text()).rejects.toThrow();
    endless.close();
    endless.closeAllConnections();
    server = await startModelServer({ port: Number(site.split(":")[1]) });
  });

  test("is reached when the operator named that very host and port", async () => {
    const headers = { authorization: `Bearer ${server.key}` };
    const response = await checkedFetch(`${server.openai}/models`, { headers });
    expect(await response.json()).toMatchObject({ object: "list" });
  });
});
