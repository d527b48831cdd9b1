import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { sql } from "drizzle-orm";
import { v7 } from "uuid";
import { describe, expect, test } from "vitest";
import { ownDatabase } from "#tests/support/own-database.ts";
import { findExecution, finishExecution, insertExecution } from "./executions.ts";
import { deleteRuns } from "./history.ts";
import { findHistorySize, listLargeHistories, makeRoom } from "./history-size.ts";
import { deleteOldRuns } from "./retention.ts";
import { insertUser } from "./users.ts";

const own = ownDatabase();
const KB = 1024;
let people = 0;

async function somebody(): Promise<string> {
  const email = `somebody-${people++}@example.com`;
  return (await insertUser(own.client.db, { email, name: "Somebody" }))?.id ?? "";
}

async function begin(userId: string, given = "{}"): Promise<string> {
  const id = v7();
  const call = { door: "rest", tool: "execute_bash", arguments: given, status: "running" };
  await insertExecution(own.client.db, { id, userId, ...call, words: ["word"] });
  return id;
}

async function run(userId: string, outputBytes: number, given?: string): Promise<string> {
  const id = await begin(userId, given);
  await finish(id, outputBytes);
  return id;
}

function finish(id: string, outputBytes: number) {
  const stdout = Buffer.alloc(outputBytes, "x");
  return finishExecution(own.client.db, id, { status: "completed", stdout, results: "[]", words: ["more"] });
}

/** Until there is nothing to do. */
async function shrink(userId: string, mostBytes: number): Promise<Buffer[]> {
  const blobs: Buffer[] = [];
  for (let removed = await makeRoom(own.client.db, userId, mostBytes); removed; ) {
    blobs.push(...removed.blobs);
    removed = await makeRoom(own.client.db, userId, mostBytes);
  }
  return blobs;
}

/** As the migration counts rows that were there before. */
async function addedUp(userId: string) {
  const { rows } = await own.client.db.execute<{ bytes: number; bare: number; runs: number }>(sql`
    select coalesce(sum(bytes), 0)::int as bytes, coalesce(sum(bytes) filter (where removed_bytes is not null), 0)::int as bare,
      count(*)::int as runs
    from (select removed_bytes, 1024 + octet_length(arguments) + coalesce(octet_length(stdout), 0)
      + coalesce(octet_length(stderr), 0) + coalesce(octet_length(results), 0) + coalesce(octet_length(result), 0)
      + coalesce(octet_length(denied_hosts), 0) + coalesce(octet_length(artifacts_skipped), 0)
      + 2 * octet_length(words::text) + coalesce(output_blob_bytes, 0) as bytes
      from executions where user_id = ${userId} and finished_at is not null) as runs`);
  return rows[0];
}

async function expectExact(userId: string): Promise<number> {
  const size = await findHistorySize(own.client.db, userId);
  const { bytes, bare } = (await addedUp(userId)) ?? {};
  expect(size).toMatchObject({ bytes, bareBytes: bare });
  return bytes ?? 0;
}

const removedOf = async (userId: string, id: string) =>
  (await findExecution(own.client.db, userId, id))?.removedBytes;

describe("the size of a history", () => {
  test("is what its runs take, however they come and go", async () => {
    const { db } = own.client;
    const [ada, bob] = [await somebody(), await somebody()];
    const ids = [await run(ada, 10 * KB), await run(ada, 0), await run(ada, 5 * KB)];
    await begin(ada, JSON.stringify({ code: "x".repeat(KB) }));
    await run(bob, KB);
    expect(await finish(ids[0] ?? "", 99 * KB)).toBeUndefined();
    expect(await expectExact(ada)).toBeGreaterThan(18 * KB);
    await deleteRuns(db, ada, ids.slice(0, 1));
    await expectExact(ada);
    await deleteOldRuns(db, ada, ids.slice(1, 2));
    await expectExact(ada);
    expect(await deleteRuns(db, bob, ids.slice(2))).toEqual([]);
    await expectExact(ada);
    await expectExact(bob);
  });

  test("is right when runs end, lose their output and are deleted at once", async () => {
    const user = await somebody();
    const ids = await Promise.all(Array.from({ length: 40 }, () => run(user, 8 * KB)));
    await Promise.all([
      ...Array.from({ length: 40 }, () => run(user, 8 * KB)),
      shrink(user, 200 * KB),
      shrink(user, 200 * KB),
      ...ids.slice(20).map((id) => deleteRuns(own.client.db, user, [id])),
      deleteOldRuns(own.client.db, user, ids.slice(10, 15)),
    ]);
    await shrink(user, 200 * KB);
    expect(await expectExact(user)).toBeLessThanOrEqual(200 * KB);
  });
});

test("runs of before are counted by the migration", async () => {
  const { db } = own.client;
  const user = await somebody();
  await run(user, 3 * KB, JSON.stringify({ command: "größer" }));
  await begin(user);
  const before = await findHistorySize(db, user);
  const folder = path.join(import.meta.dirname, "../migrations");
  const file = readdirSync(folder).find((name) => name.endsWith("_history-budget.sql")) ?? "";
  const backfill =
    readFileSync(path.join(folder, file), "utf8").split("--> statement-breakpoint").at(-1) ?? "";
  await db.execute(sql`delete from history_sizes`);
  await db.execute(sql.raw(backfill));
  expect(await findHistorySize(db, user)).toMatchObject({ bytes: before?.bytes, bareBytes: 0 });
  expect(await findHistorySize(db, await somebody())).toBeUndefined();
  expect(await shrink(user, 2 * KB)).toEqual([]);
  expect(await expectExact(user)).toBeLessThanOrEqual(2 * KB);
});

describe("making room", () => {
  test("takes the oldest output first, leaves the rows, and touches nobody else", async () => {
    const { db } = own.client;
    const [ada, bob] = [await somebody(), await somebody()];
    const ids: string[] = [];
    for (let n = 0; n < 20; n++) ids.push(await run(ada, 20 * KB, JSON.stringify({ command: `echo ${n}` })));
    const other = await run(bob, 50 * KB);
    expect(await listLargeHistories(db, 300 * KB)).toEqual([ada]);
    await shrink(ada, 300 * KB);
    expect(await expectExact(ada)).toBeLessThanOrEqual(300 * KB);
    expect(await listLargeHistories(db, 300 * KB)).toEqual([]);
    const removed = await Promise.all(ids.map((id) => removedOf(ada, id)));
    const first = removed.indexOf(null);
    expect(first).toBeGreaterThan(4);
    expect(removed.slice(0, first).every((bytes) => bytes === 20 * KB + 2)).toBe(true);
    expect(removed.slice(first).every((bytes) => bytes === null)).toBe(true);
    expect((await addedUp(ada))?.runs).toBe(20);
    expect(await findExecution(db, ada, ids[0] ?? "")).toMatchObject({ status: "completed", stdout: null });
    expect(await removedOf(bob, other)).toBeNull();
    expect(await makeRoom(db, ada, 300 * KB)).toBeUndefined();
  });

  test("takes calls that are large with their output, and gives back the blobs", async () => {
    const { db } = own.client;
    const user = await somebody();
    const blob = Buffer.alloc(32, 7);
    const id = await begin(user, JSON.stringify({ content: "x".repeat(90 * KB) }));
    await finishExecution(db, id, { status: "completed", outputBlob: blob, outputBlobBytes: 40 * KB });
    await run(user, KB);
    expect(await expectExact(user)).toBeGreaterThan(130 * KB);
    expect(await shrink(user, 100 * KB)).toEqual([blob]);
    expect(await expectExact(user)).toBeLessThan(10 * KB);
    expect(await findExecution(db, user, id)).toMatchObject({ outputBlob: null });
    const { rows } = await db.execute(sql`select arguments from executions where id = ${id}`);
    expect(rows).toEqual([{ arguments: "" }]);
  });

  test("finds a run that began early and ended late", async () => {
    const user = await somebody();
    const early = await begin(user);
    for (let n = 0; n < 10; n++) await run(user, 20 * KB);
    await shrink(user, 100 * KB);
    await finish(early, 90 * KB);
    await shrink(user, 100 * KB);
    expect(await removedOf(user, early)).toBe(90 * KB + 2);
    expect(await expectExact(user)).toBeLessThanOrEqual(100 * KB);
  });

  test("a thousand runs that printed nothing don't squeeze out what newer ones print", async () => {
    const user = await somebody();
    const ids: string[] = [];
    for (let n = 0; n < 300; n++) ids.push(await run(user, 0));
    for (let n = 0; n < 20; n++) {
      ids.push(await run(user, 10 * KB));
      await shrink(user, 200 * KB);
    }
    const { bytes = 0, bare = 0, runs } = (await addedUp(user)) ?? {};
    expect(bytes).toBeLessThanOrEqual(200 * KB);
    expect(bare).toBeLessThanOrEqual(100 * KB);
    expect(runs).toBeLessThan(320);
    await expectExact(user);
    expect(await removedOf(user, ids.at(-1) ?? "")).toBeNull();
    expect(await findExecution(own.client.db, user, ids[0] ?? "")).toBeUndefined();
  });
});
