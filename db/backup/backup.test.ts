import { createHash, randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { sql } from "drizzle-orm";
import { v7 } from "uuid";
import { expect, inject, test } from "vitest";
import { ownDatabase } from "#tests/support/own-database.ts";
import { administer, databaseUrl } from "#tests/support/postgres.ts";
import { connect } from "../client.ts";
import { migrate, migrateUpTo, migrationTags } from "../migrate.ts";
import { insertExecution } from "../queries/executions.ts";
import { insertUser } from "../queries/users.ts";
import { isBackupRunning, takeBackupLock } from "./backup-lock.ts";
import { isEmptyDatabase, loadTables } from "./load-tables.ts";
import { openSnapshot } from "./snapshot.ts";
import { tableNames } from "./tables.ts";

const own = ownDatabase();

test("every table of the database is in a backup, and nothing counts up by itself there", async () => {
  const { rows } = await own.client.db.execute<{ name: string; kind: string }>(sql`
    select relname as name, relkind as kind from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'S', 'm') order by relname`);
  expect(rows.map(({ name }) => name).sort()).toEqual(tableNames());
  expect(rows.every(({ kind }) => kind === "r")).toBe(true);
});

test("rows come back as they were at one moment, whatever was written meanwhile", async () => {
  const { db } = own.client;
  const userId = (await insertUser(db, { email: "ada@example.com", name: 'Ada \u0001 \\ " ☃ 𝕏' }))?.id ?? "";
  const call = { door: "rest", tool: "execute_bash", arguments: '{"command":"\\u0000"}', status: "queued" };
  for (let n = 0; n < 60; n++) await insertExecution(db, { id: v7(), userId, ...call });
  await db.execute(sql`
    update executions set stdout = '\\x00ff0a', words = 'a:1 b:2'::tsvector, memory_bytes = 9007199254740991,
      finished_at = '2026-01-02 03:04:05.678901+02'`);
  await db.execute(sql`
    insert into skills (user_id, name, file, size, modified_ms) values (${userId}, 's', 'SKILL.md', 1, 0.1::float8 + 0.2)`);
  await db.execute(sql`insert into audit (id, actor, action) values (${v7()}, 'server', 'user.added')`);
  await db.execute(sql`insert into egress_denials values (${userId}, '2026-01-02', 'h', 1, 'r', 2, now())`);
  await db.execute(sql`
    insert into artifacts (id, user_id, door, source, path, name, path_key, version, mime, kind, size, sha256)
    values (${v7()}, ${userId}, 'rest', 'file', '/workspace/a', 'a', '\\x01', 1, 'text/plain', 'text', 3, ${createHash("sha256").digest()})`);

  const snapshot = await openSnapshot(own.url);
  await insertUser(db, { email: "late@example.com", name: "Late" });
  const dump = new Map<string, string[]>();
  for (const name of tableNames()) dump.set(name, await Readable.from(snapshot.rows(name)).toArray());
  expect(await Readable.from(snapshot.contents()).toArray()).toEqual([createHash("sha256").digest("hex")]);
  expect(snapshot.migration).toBe((await migrationTags()).at(-1));
  await snapshot.close();
  expect([dump.get("users")?.length, dump.get("executions")?.length]).toEqual([1, 60]);

  await inOtherDatabase(async (url, other) => {
    expect([await isEmptyDatabase(url), await isEmptyDatabase(own.url)]).toEqual([true, false]);
    await migrate(other);
    const tables = [...dump].map(([name, lines]) => ({ name, rows: () => toAsync(lines) }));
    await loadTables(url, tables);
    const again = await openSnapshot(url);
    for (const name of tableNames())
      expect((await Readable.from(again.rows(name)).toArray()).sort()).toEqual(dump.get(name)?.sort());
    await again.close();
    // What guards the rows from now on is there again.
    await expect(other.execute(sql`delete from audit`)).rejects.toThrow();
    // All or nothing.
    await expect(loadTables(url, tables)).rejects.toThrow();
  });
});

test("rows of an older version are taken on from where its tables were", async () => {
  await inOtherDatabase(async (url, other) => {
    const [first = "", second = ""] = await migrationTags();
    await migrateUpTo(other, first);
    const userId = v7();
    const row = JSON.stringify({
      id: userId,
      email: "old@example.com",
      name: "Old",
      admin: true,
      created_at: "2026-01-01",
    });
    await loadTables(url, [{ name: "users", rows: () => toAsync([row]) }]);
    await migrateUpTo(other, second);
    await migrate(other);
    const { rows } = await other.execute(sql`select email, admin from users`);
    expect(rows).toEqual([{ email: "old@example.com", admin: true }]);
  });
});

test("one backup at a time, and others know of it until it ends", async () => {
  const lock = await takeBackupLock(own.url);
  expect(await isBackupRunning(own.client.db)).toBe(true);
  expect(await takeBackupLock(own.url)).toBeUndefined();
  await lock?.release();
  await expect.poll(() => isBackupRunning(own.client.db)).toBe(false);
});

async function* toAsync(lines: string[]) {
  yield* lines;
}

async function inOtherDatabase(work: (url: string, db: (typeof own)["client"]["db"]) => Promise<void>) {
  const name = `cove_test_${randomUUID().replaceAll("-", "")}`;
  await administer(inject("postgresUrl"), `create database ${name}`);
  const url = databaseUrl(inject("postgresUrl"), name);
  const client = connect(url);
  try {
    await work(url, client.db);
  } finally {
    await client.close();
    await administer(inject("postgresUrl"), `drop database ${name}`);
  }
}
