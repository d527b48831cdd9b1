import { and, asc, eq, sql } from "drizzle-orm";
import type { Database } from "../client.ts";
import { modelKeys } from "../schema.ts";

export type ModelKeyRow = typeof modelKeys.$inferSelect;

/** Without the secret, for people to look at. */
export async function listModelKeys(db: Database, userId: string) {
  return db
    .select({
      provider: modelKeys.provider,
      hint: modelKeys.hint,
      baseUrl: modelKeys.baseUrl,
      createdAt: modelKeys.createdAt,
    })
    .from(modelKeys)
    .where(eq(modelKeys.userId, userId))
    .orderBy(asc(modelKeys.provider));
}

export async function findModelKeys(db: Database, userId: string) {
  return db
    .select({ provider: modelKeys.provider, secret: modelKeys.secret, baseUrl: modelKeys.baseUrl })
    .from(modelKeys)
    .where(eq(modelKeys.userId, userId));
}

export async function putModelKey(
  db: Database,
  key: Pick<ModelKeyRow, "userId" | "provider" | "secret" | "hint" | "baseUrl">,
): Promise<void> {
  const { secret, hint, baseUrl } = key;
  await db
    .insert(modelKeys)
    .values(key)
    .onConflictDoUpdate({
      target: [modelKeys.userId, modelKeys.provider],
      set: { secret, hint, baseUrl, createdAt: sql`now()` },
    });
}

export async function deleteModelKey(db: Database, userId: string, provider: string): Promise<boolean> {
  const gone = await db
    .delete(modelKeys)
    .where(and(eq(modelKeys.userId, userId), eq(modelKeys.provider, provider)))
    .returning({ provider: modelKeys.provider });
  return gone.length > 0;
}
