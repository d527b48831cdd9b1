// Every table. Ids are UUIDv7, made in TypeScript, so that rows sort by age and lists can page by key.
import { sql } from "drizzle-orm";
import {
  boolean,
  check,
  customType,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { v7 } from "uuid";

const bytea = customType<{ data: Buffer }>({ dataType: () => "bytea" });
const id = () => uuid().primaryKey().$defaultFn(v7);
const time = () => timestamp({ withTimezone: true });
const createdAt = () => time().notNull().defaultNow();
const owner = () =>
  uuid()
    .notNull()
    .references(() => users.id, { onDelete: "cascade" });

export const users = pgTable(
  "users",
  {
    id: id(),
    email: text().notNull(),
    name: text().notNull(),
    // Empty for people who only ever came through GitHub or Google.
    passwordHash: text(),
    admin: boolean().notNull().default(false),
    disabledAt: time(),
    createdAt: createdAt(),
  },
  (t) => [uniqueIndex("users_email_key").on(sql`lower(${t.email})`)],
);

export const accounts = pgTable(
  "accounts",
  {
    provider: text().notNull(),
    providerAccountId: text().notNull(),
    userId: owner(),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.provider, t.providerAccountId] }), index().on(t.userId)],
);

export const sessions = pgTable(
  "sessions",
  {
    id: id(),
    userId: owner(),
    userAgent: text().notNull(),
    createdAt: createdAt(),
    lastSeenAt: time().notNull().defaultNow(),
    expiresAt: time().notNull(),
  },
  (t) => [index().on(t.userId)],
);

export const apiTokens = pgTable(
  "api_tokens",
  {
    id: id(),
    userId: owner(),
    name: text().notNull(),
    // SHA-256 of the token; the token itself is shown once and kept nowhere.
    hash: bytea().notNull().unique(),
    prefix: text().notNull(),
    createdAt: createdAt(),
    expiresAt: time(),
    lastUsedAt: time(),
  },
  (t) => [index().on(t.userId)],
);

/** Which container is whose. A row without a user is warm, waiting in the pool for somebody to claim it. */
export const sandboxes = pgTable("sandboxes", {
  id: text().primaryKey(),
  // No two sandboxes share a uid: kernel limits are per uid, and one tenant must not starve another.
  uid: integer().notNull().unique(),
  // Never `set null`: a deleted user's workspace would look like a warm one and be handed to somebody else.
  userId: uuid()
    .unique()
    .references(() => users.id, { onDelete: "cascade" }),
  offered: boolean().notNull().default(false),
  createdAt: createdAt(),
});

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
    // What the caller got, to be given again to the same idempotency key.
    result: text(),
    idempotencyKey: text(),
    requestHash: bytea(),
    createdAt: createdAt(),
    finishedAt: time(),
  },
  (t) => [
    index().on(t.userId, t.id),
    uniqueIndex("executions_idempotency_key").on(t.userId, t.idempotencyKey),
    index("executions_unfinished").on(t.status).where(sql`${t.finishedAt} is null`),
  ],
);

/** How often something was tried within a window: sign-ins per account, per address. */
export const attempts = pgTable(
  "attempts",
  {
    key: text().primaryKey(),
    count: integer().notNull(),
    resetsAt: time().notNull(),
  },
  (t) => [index().on(t.resetsAt)],
);

/** One row: who this installation is. The key check tells a wrong AUTH_SECRET from the right one. */
export const installation = pgTable(
  "installation",
  {
    only: boolean().primaryKey().default(true),
    id: text().notNull(),
    keyCheck: text().notNull(),
    createdAt: createdAt(),
  },
  (t) => [check("installation_is_one_row", sql`${t.only}`)],
);
