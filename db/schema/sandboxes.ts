import { boolean, integer, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { createdAt, time } from "./columns.ts";
import { users } from "./people.ts";

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
  // By the hour; a workspace that nobody has used for long may be removed, if the operator says so.
  lastUsedAt: time().notNull().defaultNow(),
});
