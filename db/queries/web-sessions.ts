import { and, desc, eq, gt, isNull, lt, ne, notInArray, sql } from "drizzle-orm";
import type { Database } from "../client.ts";
import { sessions, users } from "../schema.ts";
import { type User, userColumns } from "./users.ts";

export interface Session {
  id: string;
  userAgent: string;
  createdAt: Date;
  lastSeenAt: Date;
}

export async function insertSession(
  db: Database,
  session: { userId: string; userAgent: string; expiresAt: Date },
): Promise<string> {
  const [row] = await db.insert(sessions).values(session).returning({ id: sessions.id });
  if (!row) throw new Error("A session could not be written.");
  return row.id;
}

/** Who this session belongs to, if it still counts. Ended, expired and disabled all look the same: nothing. */
export async function findSessionUser(db: Database, id: string): Promise<User | undefined> {
  const [row] = await db
    .select(userColumns)
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(sessions.id, id), gt(sessions.expiresAt, sql`now()`), isNull(users.disabledAt)));
  return row;
}

/** At most one write a minute: people look at "last seen" in minutes, and every page asks. */
export async function touchSession(db: Database, id: string): Promise<void> {
  await db
    .update(sessions)
    .set({ lastSeenAt: sql`now()` })
    .where(and(eq(sessions.id, id), lt(sessions.lastSeenAt, sql`now() - interval '1 minute'`)));
}

export async function listSessions(db: Database, userId: string): Promise<Session[]> {
  return db
    .select({
      id: sessions.id,
      userAgent: sessions.userAgent,
      createdAt: sessions.createdAt,
      lastSeenAt: sessions.lastSeenAt,
    })
    .from(sessions)
    .where(and(eq(sessions.userId, userId), gt(sessions.expiresAt, sql`now()`)))
    .orderBy(desc(sessions.lastSeenAt));
}

export async function deleteSession(db: Database, userId: string, id: string): Promise<boolean> {
  const gone = await db
    .delete(sessions)
    .where(and(eq(sessions.id, id), eq(sessions.userId, userId)))
    .returning({ id: sessions.id });
  return gone.length > 0;
}

/** For signing out: the id comes out of our own encrypted cookie. */
export async function endSession(db: Database, id: string): Promise<void> {
  await db.delete(sessions).where(eq(sessions.id, id));
}

/** Everywhere but here, if that is said. Devices that were known are so no more. */
export async function endSessions(db: Database, userId: string, but?: string): Promise<number> {
  return db.transaction(async (tx) => {
    await tx
      .update(users)
      .set({ deviceEpoch: sql`${users.deviceEpoch} + 1` })
      .where(eq(users.id, userId));
    const gone = await tx
      .delete(sessions)
      .where(and(eq(sessions.userId, userId), but === undefined ? undefined : ne(sessions.id, but)))
      .returning({ id: sessions.id });
    return gone.length;
  });
}

/** Those that were used longest ago, where there are more than that. */
export async function endOldestSessions(db: Database, userId: string, most: number): Promise<void> {
  const newest = db
    .select({ id: sessions.id })
    .from(sessions)
    .where(eq(sessions.userId, userId))
    .orderBy(desc(sessions.lastSeenAt), desc(sessions.id))
    .limit(most);
  await db.delete(sessions).where(and(eq(sessions.userId, userId), notInArray(sessions.id, newest)));
}

export async function deleteExpiredSessions(db: Database): Promise<void> {
  await db.delete(sessions).where(lt(sessions.expiresAt, sql`now()`));
}
