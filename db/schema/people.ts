// People, how they sign in, and what they sign in with.
import { sql } from "drizzle-orm";
import { boolean, index, integer, pgTable, primaryKey, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { bytea, createdAt, id, time } from "./columns.ts";

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
    // What known devices carry is signed with it: counting up makes strangers of them all.
    deviceEpoch: integer().notNull().default(0),
    createdAt: createdAt(),
  },
  (t) => [uniqueIndex("users_email_key").on(sql`lower(${t.email})`)],
);

/** Whose a row is; it goes with them. */
export const owner = () =>
  uuid()
    .notNull()
    .references(() => users.id, { onDelete: "cascade" });

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

/** Who may make an account although sign-up is closed. A row goes when it is used or revoked, or with whoever invited. */
export const invitations = pgTable(
  "invitations",
  {
    id: id(),
    email: text().notNull(),
    admin: boolean().notNull().default(false),
    // SHA-256 of the link's secret; the link itself is shown once and kept nowhere.
    hash: bytea().notNull().unique(),
    invitedBy: owner(),
    createdAt: createdAt(),
    expiresAt: time().notNull(),
  },
  (t) => [uniqueIndex("invitations_email_key").on(sql`lower(${t.email})`), index().on(t.invitedBy)],
);

/** How often something was tried within a window: sign-ins per account and address, for example. */
export const attempts = pgTable(
  "attempts",
  {
    key: text().primaryKey(),
    count: integer().notNull(),
    resetsAt: time().notNull(),
  },
  (t) => [index().on(t.resetsAt)],
);
