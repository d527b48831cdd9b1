import { eq } from "drizzle-orm";
import type { Database } from "../client.ts";
import { apiTokens, users } from "../schema.ts";
import { endSessions } from "./web-sessions.ts";

/**
 * A new password, and out goes whoever knew the old one: every web session but one, known devices and, if that is wanted, every
 * API token. All of it or nothing. Gives back the tokens that are gone.
 */
export async function replacePasswordHash(
  db: Database,
  userId: string,
  change: { passwordHash: string; keepSession?: string; revokeTokens?: boolean },
): Promise<{ id: string; name: string }[]> {
  return db.transaction(async (tx) => {
    await tx.update(users).set({ passwordHash: change.passwordHash }).where(eq(users.id, userId));
    await endSessions(tx, userId, change.keepSession);
    if (!change.revokeTokens) return [];
    return tx
      .delete(apiTokens)
      .where(eq(apiTokens.userId, userId))
      .returning({ id: apiTokens.id, name: apiTokens.name });
  });
}
