import { sql } from "drizzle-orm";
import pg from "pg";
import { expect, test } from "vitest";
import { ownDatabase } from "#tests/support/own-database.ts";
import { takeInstallationLock } from "./installation-lock.ts";

const own = ownDatabase();
const locks = sql`select pid from pg_locks where locktype = 'advisory' and objid = 7203112
  and database = (select oid from pg_database where datname = current_database())`;
const waiting = sql`${locks} and not granted`;
const holder = async () =>
  (await own.client.db.execute<{ pid: number }>(sql`${locks} and granted`)).rows[0]?.pid;
const impatient = { patienceMs: 0, onLost: () => undefined };

test("one holds it, the other goes without, and gets it once it is released", async () => {
  const first = await takeInstallationLock(own.url, impatient);
  expect(first).toBeDefined();
  expect(await takeInstallationLock(own.url, impatient)).toBeUndefined();
  await first?.release();
  const second = await takeInstallationLock(own.url, impatient);
  expect(second).toBeDefined();
  await second?.release();
});

test("somebody who waits gets it as soon as the other lets go", async () => {
  const first = await takeInstallationLock(own.url, impatient);
  const waiting = takeInstallationLock(own.url, { ...impatient, patienceMs: 20_000 });
  await first?.release();
  const second = await waiting;
  expect(second).toBeDefined();
  await second?.release();
});

test("a broken connection takes the lock again by itself", async () => {
  const lock = await takeInstallationLock(own.url, impatient);
  const before = await holder();
  await own.client.db.execute(sql`select pg_terminate_backend(${before})`);
  await expect.poll(holder, { timeout: 10_000 }).not.toBe(before);
  await expect.poll(holder, { timeout: 10_000 }).toBeDefined();
  await lock?.release();
});

test("who lost it to another while away is told", async () => {
  const lost = Promise.withResolvers<void>();
  const lock = await takeInstallationLock(own.url, { patienceMs: 0, onLost: lost.resolve });
  const rival = new pg.Client({ connectionString: own.url });
  await rival.connect();
  // Queued for the lock, the rival has it before anybody who asks later.
  const won = rival.query("select pg_advisory_lock(7203112)");
  await expect.poll(async () => (await own.client.db.execute(waiting)).rows).toHaveLength(1);
  await own.client.db.execute(sql`select pg_terminate_backend(${await holder()})`);
  await won;
  await lost.promise;
  await rival.end();
  await lock?.release();
});
