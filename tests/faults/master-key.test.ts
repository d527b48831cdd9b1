// AUTH_SECRET encrypts what people entrust to Cove. Without it, or with another, nothing is started and nothing touched.
import { readFile, rm, truncate, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { embeddedPostgresUrl } from "#db/embedded-postgres.ts";
import { removeInstallation, spawnCove, startCove } from "../support/cove.ts";
import { startModelServer } from "../support/model-server.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { newWebPerson, personAt, type WebPerson } from "../support/web-person.ts";

const model = await startModelServer();
model.script("gpt-scripted", { text: "hi" });
let dataDir: string;
let ada: WebPerson;
const settings = () => ({
  COVE_DATA_DIR: dataDir,
  COVE_OPENAI_URL: model.openai,
  COVE_MODEL_ALLOW: new URL(model.openai).host,
});
const secretFile = () => path.join(dataDir, "secret");

beforeAll(async () => {
  dataDir = await temporaryDirectory();
  const cove = await startCove(settings());
  ada = await newWebPerson(cove);
  expect((await ada.call("PUT", "/api/model-keys/openai", { key: model.key })).status).toBe(200);
  await cove.stop();
});
afterAll(async () => {
  await removeInstallation(dataDir);
  await model.close();
});

describe("master key missing or wrong", () => {
  const NOT_OURS = "AUTH_SECRET is not the one this installation was made with. Put the old one back";

  test.each<[string, string, () => Promise<unknown>, Record<string, string>]>([
    ["another one in the environment", NOT_OURS, async () => undefined, { AUTH_SECRET: "y".repeat(32) }],
    [
      "one that is too short",
      "AUTH_SECRET must have at least 32 characters.",
      async () => undefined,
      { AUTH_SECRET: "short" },
    ],
    ["a file that is gone", NOT_OURS, () => rm(secretFile()), {}],
    [
      "a file that was emptied",
      "does not hold a secret any more. Put the old file back",
      () => truncate(secretFile()),
      {},
    ],
  ])("%s: it refuses to start and says so", async (_what, sentence, spoil, environment) => {
    const secret = await readFile(secretFile(), "utf8");
    try {
      await spoil();
      const cove = await spawnCove({ ...settings(), ...environment });
      const code = await new Promise((resolve) => cove.process.once("exit", resolve));
      expect([code, cove.output()]).toEqual([1, expect.stringContaining(sentence)]);
      expect(cove.output()).not.toMatch(/^\s+at .*:\d+:\d+/m);
      expect(cove.output()).not.toContain(secret.trim());
      expect(await embeddedPostgresUrl(dataDir)).toBeUndefined();
    } finally {
      await writeFile(secretFile(), secret, { mode: 0o600 });
    }
  });

  test("with the right one sessions still count and stored keys still open", async () => {
    const cove = await startCove(settings());
    const again = personAt(cove.url, ada);
    expect((await again.call("POST", "/api/model-keys/openai/test")).body).toEqual({
      ok: true,
      message: expect.any(String),
    });
    await cove.stop();
  });
});
