// What is left of somebody, wherever it might be: rows, files, the engine.
import { glob } from "node:fs/promises";
import { sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { connectEngine } from "#sandbox/docker/connect-engine.ts";

/** Every table that has a row of theirs, whichever tables there are. */
export async function tablesWith(db: Database, userId: string): Promise<string[]> {
  const owned = await db.execute<{ name: string }>(
    sql`select table_name as name from information_schema.columns where column_name = 'user_id' order by 1`,
  );
  const found: string[] = [];
  for (const { name } of owned.rows) {
    const { rows } = await db.execute(
      sql`select 1 from ${sql.identifier(name)} where user_id = ${userId} limit 1`,
    );
    if (rows.length > 0) found.push(name);
  }
  return found;
}

export async function filesNaming(dataDir: string, name = "nothing"): Promise<string[]> {
  const found: string[] = [];
  for await (const file of glob([`sandboxes/**/*${name}*`, `**/${name}`], { cwd: dataDir })) found.push(file);
  return found;
}

export async function engineKeeps(sandboxId = "nothing"): Promise<boolean> {
  const engine = connectEngine(process.env.DOCKER_HOST);
  const [containers, { Volumes }] = await Promise.all([
    engine.listContainers({ all: true }),
    engine.listVolumes(),
  ]);
  const names = [...containers.flatMap(({ Names }) => Names), ...Volumes.map(({ Name }) => Name)];
  return names.some((name) => name.includes(sandboxId));
}
