import { index, integer, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { createdAt, id, time } from "./columns.ts";
import { conversations } from "./conversations.ts";
import { owner } from "./people.ts";

/** What was said in a chat. An answer's row is there from its first moment and grows while it is given. */
export const messages = pgTable(
  "messages",
  {
    id: id(),
    conversationId: uuid()
      .notNull()
      .references(() => conversations.id, { onDelete: "cascade" }),
    userId: owner(),
    role: text().notNull(),
    status: text().notNull(),
    // JSON as text: escaped, so that NUL and lone surrogates are kept exactly, which jsonb refuses.
    parts: text().notNull(),
    // The same as words, for search.
    body: text().notNull(),
    model: text(),
    inputTokens: integer(),
    outputTokens: integer(),
    error: text(),
    createdAt: createdAt(),
    finishedAt: time(),
  },
  (t) => [index().on(t.conversationId, t.id), index().on(t.userId), index().on(t.status)],
);
