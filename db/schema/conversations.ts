import { bigint, index, pgTable, text } from "drizzle-orm/pg-core";
import { createdAt, id, time } from "./columns.ts";
import { owner } from "./people.ts";

/** A chat. The newest change decides its place in the sidebar. */
export const conversations = pgTable(
  "conversations",
  {
    id: id(),
    userId: owner(),
    title: text().notNull().default(""),
    // What its messages take.
    bytes: bigint({ mode: "number" }).notNull().default(0),
    createdAt: createdAt(),
    updatedAt: time().notNull().defaultNow(),
    // Deleted, but may still be brought back for a moment.
    deletedAt: time(),
  },
  (t) => [index().on(t.userId, t.updatedAt)],
);
