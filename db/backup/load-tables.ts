// Rows of a backup into empty tables, all of them or none.
import pg from "pg";
import { columnsOf, inOrderOfReference, quoted } from "./tables.ts";

export interface LoadedTable {
  name: string;
  /** Each a row as JSON, as a snapshot gave it. */
  rows(): AsyncIterable<string>;
}

const BATCH_CHARACTERS = 2 ** 20;

export async function loadTables(url: string, tables: LoadedTable[]): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 15_000, keepAlive: true });
  client.on("error", () => undefined);
  await client.connect();
  try {
    await client.query("begin");
    const names = await inOrderOfReference(
      client,
      tables.map(({ name }) => name),
    );
    for (const name of names) {
      const table = tables.find((one) => one.name === name);
      if (table) await load(client, table);
    }
    await client.query("commit");
  } finally {
    await client.end();
  }
}

/** What is in a database that holds no installation: nothing that Cove would ever make. */
export async function isEmptyDatabase(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 15_000 });
  await client.connect();
  try {
    const { rows } = await client.query<{ empty: boolean }>(
      `select to_regclass('users') is null and to_regclass('installation') is null
         and to_regclass('drizzle.__drizzle_migrations') is null as empty`,
    );
    return rows[0]?.empty ?? false;
  } finally {
    await client.end();
  }
}

async function load(client: pg.Client, { name, rows }: LoadedTable): Promise<void> {
  const columns = (await columnsOf(client, name)).map(quoted).join(", ");
  const table = quoted(name);
  const insert = `insert into ${table} (${columns})
    select ${columns} from json_populate_recordset(null::${table}, $1::json)`;
  // What rows cause when people make them, they caused back then.
  await client.query(`alter table ${table} disable trigger user`);
  let [batch, size]: [string[], number] = [[], 0];
  const flush = async () => {
    if (batch.length > 0) await client.query(insert, [`[${batch.join(",")}]`]);
    [batch, size] = [[], 0];
  };
  for await (const row of rows()) {
    batch.push(row);
    size += row.length;
    if (size >= BATCH_CHARACTERS) await flush();
  }
  await flush();
  await client.query(`alter table ${table} enable trigger user`);
}
