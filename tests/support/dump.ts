// Everything a Cove's database holds, as whoever steals a dump would read it.
import { sql } from "drizzle-orm";
import { databaseOf } from "./people.ts";

export async function dumpOf(dataDir: string): Promise<string> {
  const { db } = await databaseOf(dataDir);
  const { rows: tables } = await db.execute<{ schema: string; name: string }>(
    sql`select schemaname as schema, tablename as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`,
  );
  const all: string[] = [];
  for (const { schema, name } of tables) {
    const table = sql`${sql.identifier(schema)}.${sql.identifier(name)}`;
    const { rows } = await db.execute<{ row: string }>(
      sql`select row_to_json(t)::text as row from ${table} t`,
    );
    all.push(...rows.map(({ row }) => `${name} ${row}`));
  }
  return all.join("\n");
}

/** The names of those that can be read in the text: as they are, or in an encoding that anybody undoes. */
export function secretsIn(text: string, secrets: Record<string, string>): string[] {
  const spellings = (secret: string) => {
    const bytes = Buffer.from(secret);
    return [
      secret,
      encodeURIComponent(secret),
      bytes.toString("hex"),
      bytes.toString("base64").replace(/=+$/, ""),
    ];
  };
  return Object.keys(secrets).filter((name) =>
    spellings(secrets[name] ?? "").some((spelling) => text.includes(spelling)),
  );
}
