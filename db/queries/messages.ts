import { and, asc, desc, eq, gte, lt, sql } from "drizzle-orm";
import type { Database } from "../client.ts";
import { conversations, messages } from "../schema.ts";
import { measureConversation, messageBytes } from "./conversations.ts";

const columns = {
  id: messages.id,
  role: messages.role,
  status: messages.status,
  parts: messages.parts,
  model: messages.model,
  inputTokens: messages.inputTokens,
  outputTokens: messages.outputTokens,
  error: messages.error,
  createdAt: messages.createdAt,
};
export type MessageRow = Pick<typeof messages.$inferSelect, keyof typeof columns>;
export type NewMessage = Pick<
  typeof messages.$inferInsert,
  "role" | "status" | "parts" | "body" | "model" | "createdAt"
> & { id: string };
export type MessageChange = Partial<
  Pick<
    typeof messages.$inferInsert,
    "status" | "parts" | "body" | "model" | "inputTokens" | "outputTokens" | "error" | "finishedAt"
  >
>;

export async function listMessages(
  db: Database,
  userId: string,
  conversationId: string,
): Promise<MessageRow[]> {
  return db
    .select(columns)
    .from(messages)
    .where(and(eq(messages.conversationId, conversationId), eq(messages.userId, userId)))
    .orderBy(asc(messages.id));
}

/** The last ones, or the last before another, in the order they were said. */
export async function listLastMessages(
  db: Database,
  userId: string,
  conversationId: string,
  { before, limit }: { before?: string; limit: number },
): Promise<MessageRow[]> {
  const rows = await db
    .select(columns)
    .from(messages)
    .where(
      and(
        eq(messages.conversationId, conversationId),
        eq(messages.userId, userId),
        before ? lt(messages.id, before) : undefined,
      ),
    )
    .orderBy(desc(messages.id))
    .limit(limit);
  return rows.reverse();
}

export async function findMessage(
  db: Database,
  userId: string,
  conversationId: string,
  id: string,
): Promise<MessageRow | undefined> {
  const [row] = await db
    .select(columns)
    .from(messages)
    .where(
      and(eq(messages.id, id), eq(messages.conversationId, conversationId), eq(messages.userId, userId)),
    );
  return row;
}

export async function findLastQuestion(
  db: Database,
  userId: string,
  conversationId: string,
): Promise<MessageRow | undefined> {
  const [row] = await db
    .select(columns)
    .from(messages)
    .where(
      and(
        eq(messages.conversationId, conversationId),
        eq(messages.userId, userId),
        eq(messages.role, "user"),
      ),
    )
    .orderBy(desc(messages.id))
    .limit(1);
  return row;
}

/** All of it or nothing: what is replaced goes with everything after it, and the new messages take its place. */
export async function replaceMessages(
  db: Database,
  userId: string,
  conversationId: string,
  { from, add, title }: { from?: string; add: NewMessage[]; title?: string },
): Promise<void> {
  await db.transaction(async (tx) => {
    if (from) {
      await tx
        .delete(messages)
        .where(
          and(
            eq(messages.conversationId, conversationId),
            eq(messages.userId, userId),
            gte(messages.id, from),
          ),
        );
    }
    await tx.insert(messages).values(add.map((message) => ({ ...message, userId, conversationId })));
    await tx
      .update(conversations)
      .set({
        updatedAt: sql`now()`,
        bytes: messageBytes(conversationId),
        ...(title !== undefined && { title }),
      })
      .where(and(eq(conversations.id, conversationId), eq(conversations.userId, userId)));
  });
}

export async function updateMessage(db: Database, id: string, change: MessageChange): Promise<void> {
  await db.update(messages).set(change).where(eq(messages.id, id));
}

/** Whoever was answering is gone: what they had said stays. */
export async function interruptRunningMessages(db: Database): Promise<void> {
  const interrupted = await db
    .update(messages)
    .set({ status: "interrupted", finishedAt: sql`now()` })
    .where(eq(messages.status, "running"))
    .returning({ conversationId: messages.conversationId });
  for (const { conversationId } of interrupted) await measureConversation(db, conversationId);
}
