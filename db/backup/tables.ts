import { getTableName, is } from "drizzle-orm";
import { PgTable } from "drizzle-orm/pg-core";
import type pg from "pg";
import * as schema from "../schema.ts";

/** Every table of the schema by its name, so that a new one is in the next backup without anybody thinking of it. */
export function tableNames(): string[] {
  return Object.values(schema)
    .filter((value) => is(value, PgTable))
    .map((table) => getTableName(table))
    .sort();
}

/** What a row of a table is given when it is inserted: all columns but those that Postgres computes. */
export async function columnsOf(client: pg.ClientBase, table: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select attname as name from pg_attribute
     where attrelid = to_regclass($1) and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`,
    [quoted(table)],
  );
  return rows.map(({ name }) => name);
}

/** The same tables, each after those that its rows refer to. */
export async function inOrderOfReference(client: pg.ClientBase, tables: string[]): Promise<string[]> {
  const { rows } = await client.query<{ child: string; parent: string }>(
    `select c.relname as child, p.relname as parent from pg_constraint
     join pg_class c on c.oid = conrelid join pg_class p on p.oid = confrelid
     where contype = 'f' and connamespace = to_regnamespace(current_schema())`,
  );
  const left = new Set(tables);
  const sorted: string[] = [];
  while (left.size > 0) {
    const free = [...left].filter((name) =>
      rows.every(({ child, parent }) => child !== name || parent === name || !left.has(parent)),
    );
    if (free.length === 0) throw new Error(`These tables refer to each other: ${[...left].join(", ")}.`);
    for (const name of free) left.delete(name);
    sorted.push(...free);
  }
  return sorted;
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
