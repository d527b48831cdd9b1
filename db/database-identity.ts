// Which database this is, told by what a copy of its files doesn't carry over.
import { sql } from "drizzle-orm";
import type { Database } from "./client.ts";

export interface DatabaseIdentity {
  /** Drawn when the cluster was made. File copies share it, dumps that were restored don't. */
  system: string;
  /** The database within its cluster. */
  database: string;
  /** When the kernel put the cluster's first file where it is, in seconds. No copy can keep that; a renamed directory does. */
  placedAt?: string;
  /** Where the cluster lies on the machine that Postgres runs on. */
  directory?: string;
}

/** What the database's user may not ask for is left out. */
export async function databaseIdentity(db: Database): Promise<DatabaseIdentity> {
  const { rows } = await db.execute<{ system: string; database: string }>(sql`
    select (select system_identifier::text from pg_control_system()) as system,
      (select oid::text from pg_database where datname = current_database()) as database`);
  const [known] = rows;
  if (!known) throw new Error("The database doesn't say which one it is.");
  const placedAt = await permitted(
    db,
    sql`select extract(epoch from change)::bigint::text as value from pg_stat_file('PG_VERSION')`,
  );
  const directory = await permitted(db, sql`select current_setting('data_directory') as value`);
  return { ...known, ...(placedAt && { placedAt }), ...(directory && { directory }) };
}

const NOT_PERMITTED = "42501";

async function permitted(db: Database, query: ReturnType<typeof sql>): Promise<string | undefined> {
  try {
    return (await db.execute<{ value: string | null }>(query)).rows[0]?.value ?? undefined;
  } catch (error) {
    const { code } = ((error as Error).cause ?? error) as { code?: string };
    if (code === NOT_PERMITTED) return undefined;
    throw error;
  }
}
