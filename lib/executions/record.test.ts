// Ends of runs and a database that is away, forgets, or has an end already.
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { sql } from "drizzle-orm";
import { v7 } from "uuid";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { connect } from "#db/client.ts";
import { findExecution, finishExecution, insertExecution } from "#db/queries/executions.ts";
import { runBytes } from "#db/queries/history-size.ts";
import { insertUser } from "#db/queries/users.ts";
import { executions } from "#db/schema.ts";
import type { Sandbox } from "#sandbox/index.ts";
import { ownDatabase } from "#tests/support/own-database.ts";
import { setVariables } from "#tests/support/own-environment.ts";
import { temporaryDirectory } from "#tests/support/temporary-directory.ts";
import { provideDatabase } from "../database.ts";
import { perProcess } from "../per-process.ts";
import { recordEnd } from "./record.ts";
import { Spool } from "./spool.ts";
import { writeSpooledEnds } from "./write-spooled-ends.ts";

const own = ownDatabase();
const dataDir = await temporaryDirectory();
const folder = path.join(dataDir, "spool");
setVariables({ COVE_DATA_DIR: dataDir });
const nowhere = connect("postgresql://cove@localhost/cove?host=/nowhere");
const PATIENCE = { timeout: 30_000 };
let userId: string;

beforeAll(async () => {
  userId = (await insertUser(own.client.db, { email: "ada@example.com", name: "Ada" }))?.id ?? "";
});
afterEach(() => {
  provideDatabase(own.client);
  forgetSpool();
});
afterAll(async () => {
  await nowhere.close();
  await rm(dataDir, { recursive: true });
});

/** As the next server would begin: with what is on disk. */
function forgetSpool(): void {
  perProcess("spooled ends").set(undefined);
}

async function begin(tool = v7()): Promise<string> {
  const id = v7();
  await insertExecution(own.client.db, {
    ...{ id, userId, door: "rest", tool, arguments: "{}", status: "running" },
  });
  return id;
}

async function statusOf(id: string): Promise<string | undefined> {
  return (await findExecution(own.client.db, userId, id))?.status;
}

async function daysOf(tool: string): Promise<unknown[]> {
  const { rows } = await own.client.db.execute(
    sql`select status, runs, used_runs, used_ms from execution_days where tool = ${tool} and runs > 0`,
  );
  return rows;
}

const spooled = async () => (await readdir(folder).catch(() => [])).map((name) => name.replace(".json", ""));

test("while the database is away an end is on disk before anybody is answered, and in the database once it is back", async () => {
  const tool = v7();
  const id = await begin(tool);
  const stdout = Buffer.from([0, 0xff]);
  provideDatabase(nowhere);
  await recordEnd(id, { status: "completed", exitCode: 0, stdout, durationMs: 7 });
  expect(await spooled()).toEqual([id]);
  provideDatabase(own.client);
  await expect.poll(spooled, PATIENCE).toEqual([]);
  expect(await findExecution(own.client.db, userId, id)).toMatchObject({ status: "completed", stdout });
  expect(await daysOf(tool)).toEqual([{ status: "completed", runs: 1, used_runs: 1, used_ms: "7" }]);
});

test("the next server writes what the last one could only spool: in place of `interrupted`, once, and never of an end", async () => {
  const tools = { lost: v7(), ended: v7(), open: v7() };
  const ids = {
    lost: await begin(tools.lost),
    ended: await begin(tools.ended),
    open: await begin(tools.open),
  };
  await finishExecution(own.client.db, ids.lost, { status: "interrupted", durationMs: 5 });
  await finishExecution(own.client.db, ids.ended, { status: "failed", durationMs: 5 });
  const end = { status: "completed", stdout: Buffer.from("out"), durationMs: 7 };
  // Twice, as after a server that was killed before it could take the files away.
  for (let round = 0; round < 2; round++) {
    const left = new Spool(folder);
    for (const id of Object.values(ids)) await left.put(id, end);
    forgetSpool();
    await writeSpooledEnds();
    expect(await spooled()).toEqual([]);
    const completed = { status: "completed", runs: 1, used_runs: 1, used_ms: "7" };
    expect(await daysOf(tools.lost)).toEqual([completed]);
    expect(await daysOf(tools.open)).toEqual([completed]);
    expect(await daysOf(tools.ended)).toEqual([{ ...completed, status: "failed", used_ms: "5" }]);
    expect(await findExecution(own.client.db, userId, ids.lost)).toMatchObject(end);
    const { rows } = await own.client.db.execute(
      sql`select bytes = (select sum(${runBytes}) from ${executions} where finished_at is not null) as right from history_sizes`,
    );
    expect(rows).toEqual([{ right: true }]);
  }
});

test("a file that is no end, or one that Postgres will never take, is set aside and the others are written", async () => {
  const [broken, refused, good, deleted] = [await begin(), await begin(), await begin(), v7()];
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, `${broken}.json`), "{");
  const left = new Spool(folder);
  // Text can't hold this byte.
  await left.put(refused, { status: "completed", artifactsSkipped: "\0" });
  await left.put(good, { status: "completed" });
  await left.put(deleted, { status: "completed" });
  forgetSpool();
  await writeSpooledEnds();
  expect(await statusOf(good)).toBe("completed");
  // They ended, nobody can tell how.
  expect([await statusOf(broken), await statusOf(refused)]).toEqual(["interrupted", "interrupted"]);
  expect((await spooled()).sort()).toEqual([`${broken}.unreadable`, `${refused}.unreadable`].sort());
  await rm(folder, { recursive: true });
});

test("where the spool has no room the end waits in memory", async () => {
  const id = await begin();
  await rm(folder, { recursive: true, force: true });
  await writeFile(folder, "in the way");
  provideDatabase(nowhere);
  await recordEnd(id, { status: "completed" });
  provideDatabase(own.client);
  await expect.poll(() => statusOf(id), PATIENCE).toBe("completed");
  await rm(folder);
});

test("an end that the database forgot in a crash is recorded again; only then the sandbox may forget it", async () => {
  const [kept, forgotten] = [await begin(), await begin()];
  const collected: string[][] = [];
  const sandbox = { collect: async (...ids: string[]) => void collected.push(ids) } as unknown as Sandbox;
  const again = { collect: async (...ids: string[]) => void collected.push(ids) } as unknown as Sandbox;
  await recordEnd(kept, { status: "completed" }, sandbox);
  await recordEnd(forgotten, { status: "completed" }, again);
  await own.client.db.execute(
    sql`update executions set finished_at = null, status = 'running' where id = ${forgotten}`,
  );
  await expect.poll(() => collected, PATIENCE).toEqual([[kept]]);
  await expect.poll(() => statusOf(forgotten), PATIENCE).toBe("completed");
  await expect.poll(() => collected, PATIENCE).toEqual([[kept], [forgotten]]);
});
