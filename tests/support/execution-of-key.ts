import { sql } from "drizzle-orm";
import type { Cove } from "./cove.ts";
import { databaseOf } from "./people.ts";

/** The id of the run that has this idempotency key. */
export async function executionOfKey(cove: Cove, key: string): Promise<string | undefined> {
  const { db } = await databaseOf(cove.dataDir);
  const { rows } = await db.execute<{ id: string }>(
    sql`select id from executions where idempotency_key = ${key}`,
  );
  return rows[0]?.id;
}
