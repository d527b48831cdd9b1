import { and, desc, eq, gt, isNull, lt, or, sql } from "drizzle-orm";
import type { Database } from "../client.ts";
import { preparedOnce } from "../prepared-once.ts";
import { apiTokens, users } from "../schema.ts";
import { type User, userColumns } from "./users.ts";

const tokenColumns = {
  id: apiTokens.id,
  name: apiTokens.name,
  prefix: apiTokens.prefix,
  createdAt: apiTokens.createdAt,
  expiresAt: apiTokens.expiresAt,
  lastUsedAt: apiTokens.lastUsedAt,
};
export type ApiToken = Pick<typeof apiTokens.$inferSelect, keyof typeof tokenColumns>;

export async function insertToken(
  db: Database,
  token: { userId: string; name: string; hash: Buffer; prefix: string; expiresAt?: Date },
): Promise<ApiToken> {
  const [row] = await db.insert(apiTokens).values(token).returning(tokenColumns);
  if (!row) throw new Error("A token could not be written.");
  return row;
}

export async function listTokens(db: Database, userId: string): Promise<ApiToken[]> {
  return db
    .select(tokenColumns)
    .from(apiTokens)
    .where(eq(apiTokens.userId, userId))
    .orderBy(desc(apiTokens.id));
}

/** Whose token this is, if it is still good and its owner still welcome; and whether its use is to be noted. */
export async function findTokenUser(
  db: Database,
  hash: Buffer,
): Promise<{ user: User; tokenId: string; expiresAt: Date | null; stale: boolean } | undefined> {
  const [row] = await tokenUser(db).execute({ hash });
  return row;
}

/** Every call begins with this, so it is prepared once. */
const tokenUser = preparedOnce((db) =>
  db
    .select({
      user: userColumns,
      tokenId: apiTokens.id,
      expiresAt: apiTokens.expiresAt,
      stale: sql<boolean>`coalesce(${apiTokens.lastUsedAt} < now() - interval '1 minute', true)`,
    })
    .from(apiTokens)
    .innerJoin(users, eq(users.id, apiTokens.userId))
    .where(and(eq(apiTokens.hash, sql.placeholder("hash")), isNull(users.disabledAt), isLive()))
    .prepare("token_user"),
);

/** At most one write a minute, so that a busy client costs no write per call. */
export async function touchToken(db: Database, id: string): Promise<void> {
  await db
    .update(apiTokens)
    .set({ lastUsedAt: sql`now()` })
    .where(
      and(
        eq(apiTokens.id, id),
        or(isNull(apiTokens.lastUsedAt), lt(apiTokens.lastUsedAt, sql`now() - interval '1 minute'`)),
      ),
    );
}

export async function deleteToken(db: Database, userId: string, id: string): Promise<boolean> {
  const gone = await db
    .delete(apiTokens)
    .where(and(eq(apiTokens.id, id), eq(apiTokens.userId, userId)))
    .returning({ id: apiTokens.id });
  return gone.length > 0;
}

/** Those that still open something. */
export async function countTokens(db: Database, userId: string): Promise<number> {
  return db.$count(apiTokens, and(eq(apiTokens.userId, userId), isLive()));
}

/** For the administrator's command line, which acts for no user in particular. */
export async function deleteAnyToken(db: Database, id: string): Promise<boolean> {
  const gone = await db.delete(apiTokens).where(eq(apiTokens.id, id)).returning({ id: apiTokens.id });
  return gone.length > 0;
}

/** Has not expired. */
export function isLive() {
  return or(isNull(apiTokens.expiresAt), gt(apiTokens.expiresAt, sql`now()`));
}
