// The server's own connection to the database, one per process.
import { connect, type Database, type DatabaseClient } from "#db/client.ts";
import { env } from "#env.ts";
import { log } from "./log.ts";
import { perProcess } from "./per-process.ts";

const main = perProcess<DatabaseClient>("database");
const probe = perProcess<DatabaseClient>("database-probe");

export function db(): Database {
  return client().db;
}

/** For asking whether the database is there: a connection that never waits in the queue of a rush. */
export function probeDb(): Database {
  return probe.get(() => open({ max: 1 })).db;
}

/** Lets tests and the command line hand in a connection of their own. */
export function provideDatabase(other: DatabaseClient): void {
  main.set(other);
}

/** Nothing is going on before the first query. */
export function databaseLoad(): ReturnType<DatabaseClient["load"]> {
  return main.peek()?.load() ?? { busy: 0, idle: 0, waiting: 0 };
}

export async function closeDatabase(): Promise<void> {
  await Promise.all([main, probe].map((one) => one.peek()?.close()));
  main.set(undefined);
  probe.set(undefined);
}

function client(): DatabaseClient {
  return main.get(() => open());
}

function open(options: { max?: number } = {}): DatabaseClient {
  const onError = (err: Error) => log().warn({ err }, "a database connection broke");
  return connect(databaseUrl(), { onError, ...options });
}

export function databaseUrl(): string {
  const url = env().DATABASE_URL;
  if (!url) throw new Error("DATABASE_URL is not set: start the server with `npm start`, which sets it.");
  return url;
}
