// The connection pool. One per process, wherever Next loads this module from.
import { sql } from "drizzle-orm";
import { drizzle, type NodePgDatabase } from "drizzle-orm/node-postgres";
import pg from "pg";
import * as schema from "./schema.ts";

export type Database = NodePgDatabase<typeof schema>;
export interface DatabaseClient {
  db: Database;
  /** How busy the pool is. */
  load(): { busy: number; idle: number; waiting: number };
  close(): Promise<void>;
}

interface ConnectOptions {
  onError?: (error: Error) => void;
  /** How many connections there are at most. */
  max?: number;
}

export function connect(url: string, { onError, max = 20 }: ConnectOptions = {}): DatabaseClient {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    // Tells the processes apart that share one database.
    application_name: `cove ${process.pid}`,
    // In a rush most of it is spent in line for a connection. A database that isn't there refuses at once.
    connectionTimeoutMillis: 15_000,
    idleTimeoutMillis: 30_000,
    allowExitOnIdle: true,
  });
  // An idle connection that breaks (Postgres restarted) is replaced on the next query; without a listener it ends the process.
  pool.on("error", (error) => onError?.(error));
  // So does one that breaks between two statements of a transaction; the next of them fails, which is what counts.
  pool.on("connect", (client) => client.on("error", () => undefined));
  return {
    db: drizzle(pool, { schema, casing: "snake_case" }),
    load: () => ({
      busy: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
    close: () => pool.end(),
  };
}

export async function pingDatabase(db: Database): Promise<void> {
  await db.execute(sql`select 1`);
}

/** Whatever was committed so far has reached the database's disk, also what was committed without waiting for that. */
export async function flushCommits(db: Database): Promise<void> {
  // A commit that waits takes along all before it; one that has written nothing doesn't wait.
  await db.execute(sql`select pg_logical_emit_message(true, 'cove', '')`);
}

/** How many other processes are connected, our own pool aside. */
export async function countOtherClients(db: Database): Promise<number> {
  const { rows } = await db.execute<{ n: number }>(sql`
    select count(*)::int as n from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend'
      and application_name is distinct from current_setting('application_name')`);
  return rows[0]?.n ?? 0;
}
