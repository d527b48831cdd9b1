// The container engine goes away and comes back: an engine of the test's own, so nobody else notices.

import { setTimeout as sleep } from "node:timers/promises";
import Docker from "dockerode";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ensureImage } from "#sandbox/docker/build/build-image.ts";
import { beginRun } from "../support/begin-run.ts";
import { newInstallation } from "../support/installation.ts";
import { type OwnEngine, startOwnEngine } from "../support/own-engine.ts";
import { type TestSandboxes, testSandboxes } from "../support/sandboxes.ts";

let engine: OwnEngine;
let all: TestSandboxes;
beforeAll(async () => {
  const common = new Docker();
  const image = process.env.COVE_SANDBOX_IMAGE ?? (await ensureImage(common)).tag;
  engine = await startOwnEngine();
  await engine.load(common, image);
  all = await testSandboxes({ enginePatienceMs: 30_000 }, await newInstallation(engine.docker, image));
  await all.sh("ann", "echo kept > /workspace/note");
}, 300_000);
afterAll(async () => {
  await all?.cleanUp();
  await engine?.remove();
}, 120_000);

describe("engine restarted mid-run", () => {
  test.each(["SIGTERM", "SIGKILL"] as const)(
    "an engine that ends with %s mid-run and comes back",
    async (signal) => {
      const ann = await all.sandboxes.open("ann");
      const { end } = await beginRun(ann, "echo begun; sleep 60", { timeoutMs: 90_000 });
      await engine.stop(signal);
      await sleep(1000);
      await engine.start();
      const result = await end;
      expect([result.status, result.stdout.toString()]).toEqual(["interrupted", "begun\n"]);
      expect(await all.sh("ann", "cat /workspace/note")).toBe("kept");
    },
    90_000,
  );

  test("while the engine is away, a call waits for it", async () => {
    await engine.stop();
    const waiting = all.sh("ann", "cat /workspace/note");
    await sleep(2000);
    await engine.start();
    expect(await waiting).toBe("kept");
  }, 60_000);

  test("an engine that stays away is an error with a sentence, soon enough", async () => {
    const impatient = await testSandboxes(
      { enginePatienceMs: 1000 },
      await newInstallation(engine.docker, all.image),
    );
    await engine.stop();
    try {
      const bob = await impatient.sandboxes
        .open("bob")
        .then((sandbox) => sandbox.run("true"))
        .catch((error) => error);
      expect(bob).toMatchObject({
        code: "engine_unavailable",
        message: expect.stringContaining("is Docker running?"),
      });
    } finally {
      await engine.start();
      await impatient.cleanUp();
    }
  }, 60_000);
});
