import { sql } from "drizzle-orm";
import { boolean, index, integer, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { bytea, createdAt, id, time } from "./columns.ts";
import { conversations } from "./conversations.ts";
import { owner } from "./people.ts";

/** Every run, whatever door it came through. Written before the run, finished after it. */
export const executions = pgTable(
  "executions",
  {
    id: id(),
    userId: owner(),
    door: text().notNull(),
    tool: text().notNull(),
    // JSON as text: escaped, so that NUL and lone surrogates are kept exactly, which jsonb refuses.
    arguments: text().notNull(),
    status: text().notNull(),
    exitCode: integer(),
    stdout: bytea(),
    stderr: bytea(),
    truncated: boolean().notNull().default(false),
    durationMs: integer(),
    sandboxId: text(),
    // Where in the chat it happened, if it did.
    conversationId: uuid().references(() => conversations.id, { onDelete: "set null" }),
    // The Python session, whether it had lost its variables, and what was displayed in it: JSON as text, like the arguments.
    session: text(),
    restarted: boolean(),
    results: text(),
    deniedHosts: text(),
    // What the caller got, to be given again to the same idempotency key.
    result: text(),
    idempotencyKey: text(),
    requestHash: bytea(),
    createdAt: createdAt(),
    finishedAt: time(),
  },
  (t) => [
    index().on(t.userId, t.id),
    index().on(t.conversationId),
    uniqueIndex("executions_idempotency_key").on(t.userId, t.idempotencyKey),
    index("executions_unfinished").on(t.status).where(sql`${t.finishedAt} is null`),
  ],
);
