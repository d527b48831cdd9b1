import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  date,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { bytea, createdAt, id, time, tsvector } from "./columns.ts";
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
    // Its first line, for lists, and the words of code and output, to search by: both bounded, whatever the run was.
    summary: text().notNull().default(""),
    words: tsvector().notNull().default(sql`''`),
    status: text().notNull(),
    exitCode: integer(),
    stdout: bytea(),
    stderr: bytea(),
    // What is larger than a row should be (stdout, stderr, results and result together) is a compressed blob, by its
    // SHA-256 and by what it takes on the disk.
    outputBlob: bytea(),
    outputBlobBytes: integer(),
    // How much of this run was removed to make room for newer ones: nothing yet, or so many bytes.
    removedBytes: integer(),
    truncated: boolean().notNull().default(false),
    durationMs: integer(),
    // What it used: processor time of all its processes, and the most memory that one of them had.
    cpuMs: integer(),
    memoryBytes: bigint({ mode: "number" }),
    sandboxId: text(),
    // Where in the chat it happened, if it did.
    conversationId: uuid().references(() => conversations.id, { onDelete: "set null" }),
    // The Python session, whether it had lost its variables, and what was displayed in it: JSON as text, like the arguments.
    session: text(),
    restarted: boolean(),
    results: text(),
    deniedHosts: text(),
    // A sentence about what it made and nobody kept.
    artifactsSkipped: text(),
    // What the caller got, to be given again to the same idempotency key.
    result: text(),
    idempotencyKey: text(),
    requestHash: bytea(),
    createdAt: createdAt(),
    finishedAt: time(),
  },
  (t) => [
    index().on(t.userId, t.id),
    index().on(t.conversationId, t.id),
    uniqueIndex("executions_idempotency_key").on(t.userId, t.idempotencyKey),
    index("executions_unfinished").on(t.status).where(sql`${t.finishedAt} is null`),
    // The history's filters. What hasn't ended isn't in them, so a run costs them one entry and not three.
    index("executions_by_status").on(t.userId, t.status, t.id).where(sql`${t.finishedAt} is not null`),
    index("executions_by_tool").on(t.userId, t.tool, t.id).where(sql`${t.finishedAt} is not null`),
    index("executions_by_door").on(t.userId, t.door, t.id).where(sql`${t.finishedAt} is not null`),
    index("executions_by_blob").on(t.outputBlob).where(sql`${t.outputBlob} is not null`),
    index("executions_by_word").using("gin", t.words).where(sql`${t.finishedAt} is not null`),
  ],
);

/** How many runs ended how, by the day (UTC) they began: counting a million rows takes longer than a page may. */
export const executionDays = pgTable(
  "execution_days",
  {
    userId: owner(),
    day: date().notNull(),
    door: text().notNull(),
    tool: text().notNull(),
    status: text().notNull(),
    runs: integer().notNull(),
    // What they used, for administrators: deleting a run from the history takes nothing away here.
    usedRuns: integer().notNull().default(0),
    usedMs: bigint({ mode: "number" }).notNull().default(0),
    usedCpuMs: bigint({ mode: "number" }).notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.userId, t.day, t.door, t.tool, t.status] })],
);

/** What a user's history takes, counted with the statements that change it: adding up the rows would take too long. */
export const historySizes = pgTable("history_sizes", {
  userId: owner().primaryKey(),
  bytes: bigint({ mode: "number" }).notNull(),
  // Of these, what runs take whose output was removed. Every run that ended before `fullFrom` is one of them.
  bareBytes: bigint({ mode: "number" }).notNull(),
  fullFrom: uuid().notNull(),
});
