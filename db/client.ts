// The connection pool. One per process, wherever Next loads this module from.
import { sql } from "drizzle-orm";
import { drizzle, type NodePgDatabase } from "drizzle-orm/node-postgres";
import pg from "pg";
import * as schema from "./schema.ts";

export type Database = NodePgDatabase<typeof schema>;
export interface DatabaseClient {
  db: Database;
  close(): Promise<void>;
}

export function connect(url: string, { onError }: { onError?: (error: Error) => void } = {}): DatabaseClient {
  const pool = new pg.Pool({
    connectionString: url,
    max: 20,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    allowExitOnIdle: true,
  });
  // An idle connection that breaks (Postgres restarted) is replaced on the next query; without a listener it ends the process.
  pool.on("error", (error) => onError?.(error));
  return { db: drizzle(pool, { schema, casing: "snake_case" }), close: () => pool.end() };
}

export async function pingDatabase(db: Database): Promise<void> {
  await db.execute(sql`select 1`);
}
