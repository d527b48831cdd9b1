// The sandbox image goes away under a running server: under a name of the test's own, so everybody else's stays.
import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ensureImage } from "#sandbox/docker/build/build-image.ts";
import { connectEngine } from "#sandbox/docker/connect-engine.ts";
import { newCaller } from "../support/caller.ts";
import { type Cove, spawnCove, startCove } from "../support/cove.ts";
import { databaseOf } from "../support/people.ts";

const docker = connectEngine(process.env.DOCKER_HOST);
const [repo, tag] = ["cove-test-image", randomBytes(6).toString("hex")];
const SENTENCE = "The sandbox image is missing from the engine: restart Cove to build it again.";
let image: string;
let cove: Cove;
const name = () => docker.getImage(image).tag({ repo, tag });
const unname = () => docker.getImage(`${repo}:${tag}`).remove({ force: true });

beforeAll(async () => {
  image = process.env.COVE_SANDBOX_IMAGE ?? (await ensureImage(docker)).tag;
});
afterAll(async () => {
  await cove?.stop();
  await unname().catch(() => undefined);
});

describe("image missing", () => {
  test("at the start: the operator is told which, and nothing is started", async () => {
    const without = await spawnCove({ COVE_SANDBOX_IMAGE: `${repo}:${tag}` });
    const code = await new Promise((resolve) => without.process.once("exit", resolve));
    expect([code, without.output()]).toEqual([
      1,
      expect.stringContaining(`${repo}:${tag}, which the engine doesn't have. Pull or build it`),
    ]);
    await without.stop();
  });

  test("there, but with nothing in it: the operator is told why, and the rest works", async () => {
    const empty = await docker.importImage(Readable.from(Buffer.alloc(1024)), { repo, tag });
    await buffer(empty);
    const hollow = await startCove({ COVE_SANDBOX_IMAGE: `${repo}:${tag}` });
    expect(hollow.output()).toMatch(
      /Quota +unknown: the sandboxes could not be opened\. The container engine failed: /,
    );
    const health = await fetch(`${hollow.url}/health`);
    expect([health.status, await health.json()]).toMatchObject([503, { sandbox: "down", database: "ok" }]);
    const refused = await (await newCaller(hollow)).execute("execute_bash", { command: "true" });
    expect(refused).toMatchObject({ status: 503, body: { error: { code: "unavailable" } } });
    await hollow.stop();
    await unname();
  });

  test("while the pool refills: who has a sandbox goes on, others are told why, and nothing storms", async () => {
    await name();
    cove = await startCove({ COVE_SANDBOX_IMAGE: `${repo}:${tag}`, COVE_WARM_POOL: "1" });
    const [ada, bob] = [await newCaller(cove), await newCaller(cove)];
    await expect.poll(warm, { timeout: 60_000 }).toBe(1);
    await unname();
    // The warm one is given away, and its place can't be filled.
    expect((await ada.execute("execute_bash", { command: "echo mine" })).body.stdout).toBe("mine\n");
    await expect.poll(() => failures().length, { timeout: 30_000 }).toBeGreaterThan(0);
    const refused = await bob.execute("execute_bash", { command: "true" });
    expect(refused).toMatchObject({ status: 503, body: { error: { message: SENTENCE } } });
    expect((await ada.execute("execute_bash", { command: "echo still" })).body.stdout).toBe("still\n");

    // Each try waits twice as long as the one before: a second, two, four, eight.
    const before = failures().length;
    await sleep(10_000);
    expect(failures().length - before).toBeLessThanOrEqual(4);
    for (const line of failures()) expect(line.error.message).toBe(SENTENCE);
    const waits = failures().map(({ retryInMs }) => retryInMs);
    expect(waits).toEqual(waits.map((_, at) => 1000 * 2 ** at));

    await name();
    await expect
      .poll(async () => (await bob.execute("execute_bash", { command: "echo at last" })).body.stdout, {
        timeout: 30_000,
      })
      .toBe("at last\n");
  });
});

/** How many sandboxes wait for somebody. */
async function warm(): Promise<number> {
  const { db } = await databaseOf(cove.dataDir);
  const { rows } = await db.execute(sql`select id from sandboxes where user_id is null and offered`);
  return rows.length;
}

/** What the log says about the pool. */
function failures(): { retryInMs: number; error: { message: string } }[] {
  const lines = cove
    .output()
    .split("\n")
    .filter((line) => line.includes('"No warm sandbox could be made"'));
  return lines.map((line) => JSON.parse(line));
}
