import type { Database } from "../client.ts";
import { installation } from "../schema.ts";

/** Missing before the first start. */
export async function findInstallation(db: Database): Promise<{ id: string } | undefined> {
  const [row] = await db.select({ id: installation.id }).from(installation);
  return row;
}

/** The installation's row, made with these values if it is the first time. */
export async function findOrInsertInstallation(db: Database, values: { id: string; keyCheck: string }) {
  await db.insert(installation).values(values).onConflictDoNothing();
  const [row] = await db.select({ id: installation.id, keyCheck: installation.keyCheck }).from(installation);
  if (!row) throw new Error("The installation's row is missing.");
  return row;
}
