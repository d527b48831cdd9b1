// One server owns an installation at a time. The lock lives as long as its connection, so a killed server lets go of it.
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import pg from "pg";
import type { Database } from "./client.ts";

export interface InstallationLock {
  release(): Promise<void>;
}

interface Options {
  /** How long to wait for another server to let go. */
  patienceMs: number;
  /** Another server took over while the database was away. */
  onLost: () => void;
}

// Any fixed number will do; it only has to differ from the other advisory locks of this database.
const INSTALLATION_LOCK = 7_203_112;
const RETRY_MS = 500;

/** Resolves to the lock, or to nothing when somebody else still holds it after `patienceMs`. */
export async function takeInstallationLock(
  url: string,
  options: Options,
): Promise<InstallationLock | undefined> {
  let released = false;
  let holder = await holdLock(url, options.patienceMs, again);
  if (!holder) return undefined;
  return {
    async release() {
      released = true;
      await holder?.end();
    },
  };

  // Postgres restarted, say. While it is away nobody else can take the lock either.
  async function again(): Promise<void> {
    while (!released) {
      try {
        holder = await holdLock(url, options.patienceMs, again);
        if (!holder) options.onLost();
        return;
      } catch {
        // Still away: new work is refused meanwhile, and this goes on until it is back.
        await sleep(RETRY_MS);
      }
    }
  }
}

/** Which of the database's sessions holds it: another one means that the server was started again. */
export async function findLockHolder(db: Database): Promise<number | undefined> {
  const { rows } = await db.execute<{ pid: number }>(sql`
    select pid from pg_locks where locktype = 'advisory' and granted and classid = 0 and objid = ${INSTALLATION_LOCK}
      and database = (select oid from pg_database where datname = current_database())`);
  return rows[0]?.pid;
}

/** A connection that holds the lock; `onEnd` is called when it breaks. */
async function holdLock(url: string, patienceMs: number, onEnd: () => void): Promise<pg.Client | undefined> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000, keepAlive: true });
  // Every error of a connection is followed by its end, which is what counts; unheard it would end the process.
  client.on("error", () => undefined);
  await client.connect();
  const deadline = Date.now() + patienceMs;
  while (!(await tryLock(client))) {
    if (Date.now() >= deadline) {
      await client.end();
      return undefined;
    }
    await sleep(RETRY_MS);
  }
  client.once("end", onEnd);
  return client;
}

async function tryLock(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>("select pg_try_advisory_lock($1) as locked", [
    INSTALLATION_LOCK,
  ]);
  return rows[0]?.locked ?? false;
}
