import path from "node:path";
import { sql } from "drizzle-orm";
import { migrate as applyMigrations } from "drizzle-orm/node-postgres/migrator";
import type { Database } from "./client.ts";

// Any fixed number will do; it only has to differ from the other advisory locks of this database.
const MIGRATION_LOCK = 7_203_110;

/** Brings the tables up to date. The lock makes two processes that start together take turns. */
export async function migrate(db: Database): Promise<void> {
  await db.transaction(async (lock) => {
    await lock.execute(sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`);
    await applyMigrations(db, { migrationsFolder: path.join(import.meta.dirname, "migrations") });
  });
}
