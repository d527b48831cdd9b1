import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { sql } from "drizzle-orm";
import { migrate as applyMigrations } from "drizzle-orm/node-postgres/migrator";
import type { Database } from "./client.ts";

// Any fixed number will do; it only has to differ from the other advisory locks of this database.
const MIGRATION_LOCK = 7_203_110;
const FOLDER = path.join(import.meta.dirname, "migrations");

interface Journal {
  entries: { tag: string; when: number }[];
}

/** Brings the tables up to date. The lock makes two processes that start together take turns. */
export async function migrate(db: Database): Promise<void> {
  await applyFrom(db, FOLDER);
}

/** Brings empty tables to where they were with this migration, for rows from then; `migrate` takes both on. */
export async function migrateUpTo(db: Database, tag: string): Promise<void> {
  const journal = await readJournal();
  const last = journal.entries.findIndex((entry) => entry.tag === tag);
  if (last < 0) throw new Error(`There is no migration ${tag}.`);
  const folder = await mkdtemp(path.join(tmpdir(), "cove-migrations-"));
  try {
    const entries = journal.entries.slice(0, last + 1);
    await mkdir(path.join(folder, "meta"));
    await writeFile(path.join(folder, "meta", "_journal.json"), JSON.stringify({ ...journal, entries }));
    for (const { tag } of entries) await cp(path.join(FOLDER, `${tag}.sql`), path.join(folder, `${tag}.sql`));
    await applyFrom(db, folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** In their order; the last is where an up-to-date database is. */
export async function migrationTags(): Promise<string[]> {
  return (await readJournal()).entries.map(({ tag }) => tag);
}

async function applyFrom(db: Database, migrationsFolder: string): Promise<void> {
  await db.transaction(async (lock) => {
    await lock.execute(sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`);
    await applyMigrations(db, { migrationsFolder });
  });
}

async function readJournal(): Promise<Journal> {
  return JSON.parse(await readFile(path.join(FOLDER, "meta", "_journal.json"), "utf8"));
}
