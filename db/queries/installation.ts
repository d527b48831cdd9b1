import { eq } from "drizzle-orm";
import type { Database } from "../client.ts";
import { installation, sandboxes } from "../schema.ts";

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

/** Another id for it and for each of its sandboxes, all at once. */
export async function renameInstallation(
  db: Database,
  id: string,
  renamed: readonly { id: string; newId: string }[],
): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.update(installation).set({ id });
    for (const sandbox of renamed)
      await tx.update(sandboxes).set({ id: sandbox.newId }).where(eq(sandboxes.id, sandbox.id));
  });
}
