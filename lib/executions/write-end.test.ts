import { randomBytes } from "node:crypto";
import { readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { sql } from "drizzle-orm";
import { v7 } from "uuid";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { findExecution, insertExecution } from "#db/queries/executions.ts";
import { findHistorySize } from "#db/queries/history-size.ts";
import { insertUser } from "#db/queries/users.ts";
import { forgetEnv } from "#env.ts";
import { ownDatabase } from "#tests/support/own-database.ts";
import { temporaryDirectory } from "#tests/support/temporary-directory.ts";
import { provideBlobs } from "../blobs/blobs.ts";
import { LocalBlobStore } from "../blobs/local-blob-store.ts";
import { sweepBlobs } from "../blobs/sweep-blobs.ts";
import { deleteRuns } from "../history/history.ts";
import { readRun } from "../history/read-run.ts";
import { runAgain } from "../history/run-again.ts";
import { runOutputs } from "../notebooks/run-output.ts";
import { checkExecution } from "./follow.ts";
import { writeEnd } from "./write-end.ts";

const own = ownDatabase();
let folder: string;
let people = 0;

beforeAll(async () => {
  folder = await temporaryDirectory();
  provideBlobs(new LocalBlobStore(folder));
});
afterAll(() => rm(folder, { recursive: true }));
afterEach(() => setSize(undefined));

function setSize(size: string | undefined): void {
  if (size === undefined) delete process.env.COVE_HISTORY_SIZE;
  else process.env.COVE_HISTORY_SIZE = size;
  forgetEnv();
}

async function somebody(): Promise<string> {
  const email = `somebody-${people++}@example.com`;
  return (await insertUser(own.client.db, { email, name: "Somebody" }))?.id ?? "";
}

async function run(userId: string, end: object, given: object = { command: "noise" }): Promise<string> {
  const id = v7();
  const call = { door: "rest", tool: "execute_bash", arguments: JSON.stringify(given), status: "running" };
  await insertExecution(own.client.db, { id, userId, ...call });
  await writeEnd(id, { status: "completed", ...end });
  return id;
}

/** Files below the store, with what they take. */
async function stored(): Promise<{ file: string; bytes: number }[]> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  return Promise.all(
    files
      .filter((file) => file.isFile())
      .map(async ({ parentPath, name }) => {
        const file = path.join(parentPath, name);
        return { file, bytes: (await stat(file)).blocks * 512 };
      }),
  );
}

describe("a large output", () => {
  test("is one compressed file, and read back byte by byte wherever outputs are read", async () => {
    const userId = await somebody();
    const stdout = Buffer.concat([Buffer.from([0, 0xff, 0xed, 0xa0, 0x80]), Buffer.alloc(100_000, "line\n")]);
    const results = JSON.stringify([{ mime: "text/plain", text: "\u0000 42" }]);
    const end = { stdout, stderr: Buffer.from("warning"), results, session: "s", restarted: false };
    const id = await run(userId, { ...end, words: ["needle"] });

    const files = await stored();
    expect(files).toHaveLength(1);
    expect(files[0]?.bytes).toBeLessThan(10_000);
    const row = await findExecution(own.client.db, userId, id);
    expect(row).toMatchObject({ stdout: null, stderr: null, results: null, outputBlob: expect.any(Buffer) });

    const read = await readRun(userId, id);
    expect(read).toMatchObject({ stderr: "warning", results: [{ mime: "text/plain", text: "\u0000 42" }] });
    expect(read.stdout).toBe(stdout.toString("utf8"));
    const view = await checkExecution(userId, id, 0);
    expect(view).toMatchObject({ stdout: read.stdout, stderr: "warning", results: read.results });
    expect((await runOutputs(userId, [id])).get(id)).toMatchObject({
      stdout: read.stdout,
      stderr: "warning",
    });

    await deleteRuns(userId, [id]);
    expect(await stored()).toEqual([]);
  });

  test("is in its row up to 32 kB", async () => {
    const userId = await somebody();
    const stdout = randomBytes(30_000);
    const id = await run(userId, { stdout });
    expect(await stored()).toEqual([]);
    expect((await findExecution(own.client.db, userId, id))?.stdout).toEqual(stdout);
  });

  test("that two runs share stays until the last of them goes; what nobody refers to is swept", async () => {
    const [ada, bob] = [await somebody(), await somebody()];
    const end = { stdout: randomBytes(50_000) };
    const [one, other] = [await run(ada, end), await run(bob, end)];
    expect(await stored()).toHaveLength(1);
    await deleteRuns(ada, [one]);
    expect(await sweepBlobs()).toBe(0);
    expect((await readRun(bob, other)).stdout).toBe(end.stdout.toString("utf8"));
    // As if the server had died after the file and before the row.
    await own.client.db.execute(sql`update executions set output_blob = null where id = ${other}`);
    expect(await sweepBlobs()).toBe(1);
    expect(await stored()).toEqual([]);
  });

  test.each(["missing", "damaged"])("that is %s is said in its place", async (how) => {
    const userId = await somebody();
    const id = await run(userId, { stdout: randomBytes(50_000) });
    const [blob] = await stored();
    if (!blob) throw new Error("There is no blob.");
    if (how === "missing") await rm(blob.file);
    else await writeFile(blob.file, (await readFile(blob.file)).fill(1, 20, 40));
    const missing = expect.stringMatching(/^Output lost/);
    expect(await readRun(userId, id)).toMatchObject({ stdout: "", outputMissing: missing });
    expect(await checkExecution(userId, id, 0)).toMatchObject({ stdout: "", output_missing: missing });
    expect((await runOutputs(userId, [id])).get(id)?.results).toEqual([
      { mime: "text/plain", text: missing },
    ]);
    await deleteRuns(userId, [id]);
  });

  test("that finds the disk almost full is not kept, and says so", async () => {
    const userId = await somebody();
    provideBlobs(new LocalBlobStore(folder, { reserveBytes: Number.MAX_SAFE_INTEGER }));
    const id = await run(userId, { stdout: randomBytes(50_000) });
    provideBlobs(new LocalBlobStore(folder));
    expect(await checkExecution(userId, id, 0)).toMatchObject({
      status: "completed",
      output_missing: expect.stringMatching(/^Output removed/),
    });
  });

  test("that finds the disk almost full stays where it is safe until there is room", async () => {
    provideBlobs(new LocalBlobStore(folder, { reserveBytes: 2 ** 60 }));
    const id = v7();
    const call = { door: "rest", tool: "execute_bash", arguments: "{}", status: "running" };
    await insertExecution(own.client.db, { id, userId: await somebody(), ...call });
    const end = { status: "completed", stdout: randomBytes(100_000) };
    await expect(writeEnd(id, end, { whole: true })).rejects.toMatchObject({ code: "disk_full" });
    provideBlobs(new LocalBlobStore(folder));
    await writeEnd(id, end, { whole: true });
  });
});

describe("a history that is full", () => {
  test("keeps within its size, rows and files together, and says what was removed", async () => {
    setSize("1m");
    const userId = await somebody();
    const ids: string[] = [];
    for (let n = 0; n < 10; n++)
      ids.push(
        ...(await Promise.all(
          [0, 1, 2].map(() => run(userId, { stdout: randomBytes(n % 2 ? 90_000 : 20_000) })),
        )),
      );
    const size = await findHistorySize(own.client.db, userId);
    expect(size?.bytes).toBeLessThanOrEqual(2 ** 20);
    const files = (await stored()).reduce((sum, { bytes }) => sum + bytes, 0);
    expect(files).toBeGreaterThan(100_000);
    expect(files).toBeLessThan(size?.bytes ?? 0);
    const [oldest, newest] = [ids[0] ?? "", ids.at(-1) ?? ""];
    expect((await checkExecution(userId, newest, 0)).stdout.length).toBeGreaterThan(10_000);
    expect(await checkExecution(userId, oldest, 0)).toMatchObject({
      ...{ status: "completed", stdout: "", output_missing: expect.stringMatching(/^Output removed/) },
    });
    expect(await readRun(userId, oldest)).toMatchObject({
      arguments: { command: "noise" },
      repeatable: true,
    });
    expect(await sweepBlobs()).toBe(0);
  });

  test("has no room for large code either, which can't be run again then", async () => {
    setSize("1m");
    const userId = await somebody();
    const content = "x".repeat(700_000);
    const old = await run(userId, {}, { command: content });
    await run(userId, {}, { command: content });
    expect(await readRun(userId, old)).toMatchObject({ arguments: {}, repeatable: false });
    await expect(runAgain(userId, old)).rejects.toThrow("made room for newer runs");
  });
});
