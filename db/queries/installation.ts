import type { Database } from "../client.ts";
import { installation } from "../schema.ts";

/** The installation's row, made with these values if it is the first time. */
export async function findOrInsertInstallation(db: Database, values: { id: string; keyCheck: string }) {
  await db.insert(installation).values(values).onConflictDoNothing();
  const [row] = await db.select({ id: installation.id, keyCheck: installation.keyCheck }).from(installation);
  if (!row) throw new Error("The installation's row is missing.");
  return row;
}
