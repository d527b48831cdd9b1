// Held while a backup is made, so that nothing it is going to copy is removed meanwhile. It goes with its connection.
import { sql } from "drizzle-orm";
import pg from "pg";
import type { Database } from "../client.ts";

// Any fixed number will do; it only has to differ from the other advisory locks of this database.
const BACKUP_LOCK = 7_203_114;

/** Nothing if another backup is being made. */
export async function takeBackupLock(url: string): Promise<{ release(): Promise<void> } | undefined> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 15_000, keepAlive: true });
  client.on("error", () => undefined);
  await client.connect();
  const { rows } = await client.query<{ locked: boolean }>("select pg_try_advisory_lock($1) as locked", [
    BACKUP_LOCK,
  ]);
  if (rows[0]?.locked) return { release: () => client.end() };
  await client.end();
  return undefined;
}

export async function isBackupRunning(db: Database): Promise<boolean> {
  const { rows } = await db.execute<{ running: boolean }>(sql`
    select exists (
      select 1 from pg_locks where locktype = 'advisory' and granted and classid = 0 and objid = ${BACKUP_LOCK}
        and database = (select oid from pg_database where datname = current_database())
    ) as running`);
  return rows[0]?.running ?? false;
}
