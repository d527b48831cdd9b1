// Everything in the database as it was at one moment, while others go on writing.
import pg from "pg";
import { migrationTags } from "../migrate.ts";
import { quoted } from "./tables.ts";

export interface Snapshot {
  /** The migration that its tables are at. */
  migration: string;
  installation: { keyCheck: string } | undefined;
  /** Who has a workspace. */
  owners: string[];
  /** The contents that artifacts and the outputs of runs refer to, as hexadecimal digits. */
  contents(): AsyncGenerator<string>;
  /** Each row as JSON in one line, which Postgres reads back as it was. */
  rows(table: string): AsyncGenerator<string>;
  close(): Promise<void>;
}

// A row holds up to a few megabytes, and these are in memory at a time.
const ROWS = 25;

export async function openSnapshot(url: string): Promise<Snapshot> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 15_000, keepAlive: true });
  client.on("error", () => undefined);
  await client.connect();
  try {
    await client.query("begin isolation level repeatable read read only");
    await client.query("set local timezone to 'UTC'");
    await client.query("set local datestyle to 'ISO'");
    return {
      migration: await migrationOf(client),
      installation: await installationOf(client),
      owners: await ownersIn(client),
      contents: () =>
        lines(
          client,
          `select encode(sha256, 'hex') as line from artifacts
           union select encode(output_blob, 'hex') from executions where output_blob is not null`,
        ),
      rows: (table) => lines(client, `select to_json(t)::text as line from ${quoted(table)} t`),
      close: () => client.end(),
    };
  } catch (error) {
    await client.end();
    throw error;
  }
}

async function* lines(client: pg.Client, query: string): AsyncGenerator<string> {
  await client.query(`declare cove_rows no scroll cursor for ${query}`);
  for (;;) {
    const { rows } = await client.query<{ line: string }>(`fetch forward ${ROWS} from cove_rows`);
    for (const { line } of rows) yield line;
    if (rows.length < ROWS) break;
  }
  await client.query("close cove_rows");
}

async function migrationOf(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ n: number }>(
    "select count(*)::int as n from drizzle.__drizzle_migrations",
  );
  const tag = (await migrationTags())[(rows[0]?.n ?? 0) - 1];
  if (!tag)
    throw new Error("The database is of a newer version of Cove than this one. Back it up with that one.");
  return tag;
}

async function installationOf(client: pg.Client): Promise<Snapshot["installation"]> {
  const { rows } = await client.query<{ keyCheck: string }>(
    `select key_check as "keyCheck" from installation`,
  );
  return rows[0];
}

async function ownersIn(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    "select user_id as id from sandboxes where user_id is not null order by user_id",
  );
  return rows.map(({ id }) => id);
}
