import { and, count, desc, eq, isNotNull, isNull, lt, or, type SQL, sql } from "drizzle-orm";
import type { Database } from "../client.ts";
import { conversations, messages } from "../schema.ts";

const columns = {
  id: conversations.id,
  title: conversations.title,
  updatedAt: conversations.updatedAt,
};
export type Conversation = Pick<typeof conversations.$inferSelect, keyof typeof columns>;

/** A place in the list: the last one seen. */
export interface After {
  updatedAt: Date;
  id: string;
}

/** How many there are and what they take, those that can be brought back included. */
export async function measureConversations(db: Database, userId: string) {
  const [row] = await db
    .select({
      conversations: count(),
      bytes: sql`coalesce(sum(${conversations.bytes}), 0)`.mapWith(Number),
    })
    .from(conversations)
    .where(eq(conversations.userId, userId));
  return row ?? { conversations: 0, bytes: 0 };
}

/** What a user deleted, and what they began an hour ago and never said a word in. */
export async function dropUnused(db: Database, userId: string): Promise<void> {
  const silent = sql`${conversations.createdAt} < now() - interval '1 hour'
    and not exists (select 1 from ${messages} where ${messages.conversationId} = ${conversations.id})`;
  await db
    .delete(conversations)
    .where(and(eq(conversations.userId, userId), or(isNotNull(conversations.deletedAt), silent)));
}

/** Counts its messages anew. */
export async function measureConversation(db: Database, id: string): Promise<void> {
  await db
    .update(conversations)
    .set({ bytes: messageBytes(id) })
    .where(eq(conversations.id, id));
}

/** What its messages take, with 1 kB for each row. */
export function messageBytes(conversationId: string): SQL {
  return sql`(select coalesce(sum(1024 + octet_length(messages.parts) + octet_length(messages.body)), 0)
    from messages where messages.conversation_id = ${conversationId})`;
}

export async function insertConversation(db: Database, userId: string): Promise<string> {
  const [row] = await db.insert(conversations).values({ userId }).returning({ id: conversations.id });
  if (!row) throw new Error("A conversation could not be written.");
  return row.id;
}

export async function findConversation(
  db: Database,
  userId: string,
  id: string,
): Promise<Conversation | undefined> {
  const [row] = await db.select(columns).from(conversations).where(owned(userId, id));
  return row;
}

/** The newest first. A conversation is listed once something was said in it. */
export async function listConversations(
  db: Database,
  userId: string,
  { after, limit }: { after?: After; limit: number },
): Promise<Conversation[]> {
  return db
    .select(columns)
    .from(conversations)
    .where(and(listed(userId), after && older(after)))
    .orderBy(desc(conversations.updatedAt), desc(conversations.id))
    .limit(limit);
}

/** Those whose title or contents hold the words, with the newest message that does. */
export async function searchConversations(
  db: Database,
  userId: string,
  words: string,
  { after, limit }: { after?: After; limit: number },
): Promise<(Conversation & { match: string | null })[]> {
  const pattern = `%${words.replace(/[\\%_]/g, "\\$&")}%`;
  // Spelled out: in a list of fields Drizzle leaves the tables' names away, and `id` would be the message's own.
  const hit = sql<string | null>`(
    select messages.body from messages
    where messages.conversation_id = conversations.id and messages.body ilike ${pattern}
    order by messages.id desc limit 1)`;
  return db
    .select({ ...columns, match: hit })
    .from(conversations)
    .where(
      and(
        listed(userId),
        after && older(after),
        or(sql`${conversations.title} ilike ${pattern}`, isNotNull(hit)),
      ),
    )
    .orderBy(desc(conversations.updatedAt), desc(conversations.id))
    .limit(limit);
}

export async function renameConversation(
  db: Database,
  userId: string,
  id: string,
  title: string,
): Promise<boolean> {
  return changed(db, owned(userId, id), { title });
}

/** A title somebody chose meanwhile is left alone. */
export async function replaceTitle(db: Database, id: string, from: string, title: string): Promise<void> {
  await db
    .update(conversations)
    .set({ title })
    .where(and(eq(conversations.id, id), eq(conversations.title, from)));
}

export async function deleteConversation(db: Database, userId: string, id: string): Promise<boolean> {
  return changed(db, owned(userId, id), { deletedAt: sql`now()` });
}

export async function restoreConversation(db: Database, userId: string, id: string): Promise<boolean> {
  const own = and(eq(conversations.id, id), eq(conversations.userId, userId));
  return changed(db, own, { deletedAt: null });
}

/** What was deleted so long ago that nobody undoes it. */
export async function sweepConversations(db: Database, before: Date): Promise<void> {
  await db.delete(conversations).where(lt(conversations.deletedAt, before));
}

async function changed(
  db: Database,
  where: SQL | undefined,
  values: { title?: string; deletedAt?: SQL | null },
): Promise<boolean> {
  const rows = await db.update(conversations).set(values).where(where).returning({ id: conversations.id });
  return rows.length > 0;
}

function owned(userId: string, id: string): SQL | undefined {
  return and(eq(conversations.id, id), eq(conversations.userId, userId), isNull(conversations.deletedAt));
}

function listed(userId: string): SQL | undefined {
  return and(
    eq(conversations.userId, userId),
    isNull(conversations.deletedAt),
    sql`exists (select 1 from ${messages} where ${messages.conversationId} = ${conversations.id})`,
  );
}

// Postgres keeps microseconds and a Date has none, so the places are compared at what a Date can hold.
function older({ updatedAt, id }: After): SQL {
  return sql`(date_trunc('milliseconds', ${conversations.updatedAt}), ${conversations.id}) < (${updatedAt.toISOString()}::timestamptz, ${id}::uuid)`;
}
