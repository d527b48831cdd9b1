import { type SQL, sql } from "drizzle-orm";
import type { Database } from "../client.ts";

const CANCELLED = "57014";

/** The ids that a query finds in time, with these settings of Postgres; nothing if it takes longer. */
export async function withinTime(
  db: Database,
  ms: number,
  settings: Record<string, string>,
  select: SQL,
): Promise<string[] | undefined> {
  try {
    return await db.transaction(async (tx) => {
      const all = Object.entries({ ...settings, statement_timeout: String(ms) });
      const set = all.map(([name, value]) => sql`set_config(${name}, ${value}, true)`);
      await tx.execute(sql`select ${sql.join(set, sql`, `)}`);
      const { rows } = await tx.execute<{ id: string }>(select);
      return rows.map(({ id }) => id);
    });
  } catch (error) {
    if (codeOf(error) === CANCELLED) return undefined;
    throw error;
  }
}

function codeOf(error: unknown): unknown {
  for (let at = error; at instanceof Error; at = at.cause) if ("code" in at) return at.code;
  return undefined;
}
