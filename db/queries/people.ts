// Accounts as administrators see and change them.
import { and, eq, gt, ilike, inArray, isNull, ne, or, sql } from "drizzle-orm";
import type { Database } from "../client.ts";
import { apiTokens, artifacts, conversations, executions, sandboxes, sessions, users } from "../schema.ts";
import { countTokens, isLive } from "./tokens.ts";
import { findUser, isLastAdmin, setDisabled, type User, userColumns } from "./users.ts";

export interface Person extends User {
  lastSeenAt: Date | null;
  hasSandbox: boolean;
  /** API tokens that still open something. */
  tokens: number;
}

export interface Standing {
  disabled?: boolean;
  admin?: boolean;
}

// Any fixed number will do; it only has to differ from the other advisory locks of this database.
const STANDING_LOCK = 7_203_117;

/** Oldest accounts first, those after `after`. */
export async function listPeople(
  db: Database,
  { text, after }: { text?: string; after?: string },
  most: number,
): Promise<Person[]> {
  const pattern = text && `%${text.replace(/[\\%_]/g, "\\$&")}%`;
  const seen = db
    .select({ at: sql`max(${sessions.lastSeenAt})` })
    .from(sessions)
    .where(eq(sessions.userId, users.id));
  const used = db
    .select({ at: sql`max(${apiTokens.lastUsedAt})` })
    .from(apiTokens)
    .where(eq(apiTokens.userId, users.id));
  return db
    .select({
      ...userColumns,
      tokens: db.$count(apiTokens, and(eq(apiTokens.userId, users.id), isLive())),
      lastSeenAt: sql<Date | null>`greatest((${seen}), (${used}))`.mapWith(sessions.lastSeenAt),
      hasSandbox: sql<boolean>`exists (${db
        .select({ id: sandboxes.id })
        .from(sandboxes)
        .where(eq(sandboxes.userId, users.id))})`,
    })
    .from(users)
    .where(
      and(
        after ? gt(users.id, after) : undefined,
        pattern ? or(ilike(users.email, pattern), ilike(users.name, pattern)) : undefined,
      ),
    )
    .orderBy(users.id)
    .limit(most);
}

export async function emailsOf(db: Database, ids: string[]): Promise<Map<string, string>> {
  const rows = await db
    .select({ id: users.id, email: users.email })
    .from(users)
    .where(inArray(users.id, ids));
  return new Map(rows.map(({ id, email }) => [id, email]));
}

/** Shuts an account that is about to go. Refuses where others would be left without an administrator. */
export async function closeAccount(
  db: Database,
  id: string,
): Promise<{ wasDisabled: boolean } | "last admin" | undefined> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${STANDING_LOCK})`);
    const user = await findUser(tx, id);
    if (!user) return undefined;
    if (await isLastAdmin(tx, id)) return "last admin";
    await setDisabled(tx, id, true);
    return { wasDisabled: user.disabledAt !== null };
  });
}

/** Refuses to leave an installation without an administrator; two such changes at once take turns. */
export async function changeStanding(
  db: Database,
  id: string,
  { disabled, admin }: Standing,
): Promise<User | "last admin" | undefined> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${STANDING_LOCK})`);
    if (disabled || admin === false) {
      const [other] = await tx
        .select({ id: users.id })
        .from(users)
        .where(and(ne(users.id, id), eq(users.admin, true), isNull(users.disabledAt)))
        .limit(1);
      if (!other) return "last admin";
    }
    const [changed] = await tx
      .update(users)
      .set({
        ...(admin !== undefined && { admin }),
        ...(disabled !== undefined && { disabledAt: disabled ? sql`now()` : null }),
      })
      .where(eq(users.id, id))
      .returning(userColumns);
    return changed;
  });
}

/** What goes with an account, in figures. */
export async function countBelongings(db: Database, userId: string) {
  const [kept] = await db
    .select({ bytes: sql<number>`coalesce(sum(${artifacts.size}), 0)::float8` })
    .from(artifacts)
    .where(eq(artifacts.userId, userId));
  return {
    runs: await db.$count(executions, eq(executions.userId, userId)),
    conversations: await db.$count(conversations, eq(conversations.userId, userId)),
    artifacts: await db.$count(artifacts, eq(artifacts.userId, userId)),
    artifactBytes: kept?.bytes ?? 0,
    tokens: await countTokens(db, userId),
    sandbox: (await db.$count(sandboxes, eq(sandboxes.userId, userId))) > 0,
  };
}
