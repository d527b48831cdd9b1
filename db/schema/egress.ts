import { date, index, integer, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { createdAt, time } from "./columns.ts";
import { owner } from "./people.ts";

/** What the network policy refused, counted by user and day (UTC). */
export const egressDenials = pgTable(
  "egress_denials",
  {
    userId: owner(),
    day: date().notNull(),
    host: text().notNull(),
    port: integer().notNull(),
    reason: text().notNull(),
    count: integer().notNull(),
    lastAt: time().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.day, t.host, t.port, t.reason] }),
    index("egress_denials_by_day").on(t.day),
  ],
);

/** Names that an administrator allowed, besides the operator's COVE_EGRESS_ALLOW. Never a port: that would trust the address. */
export const egressAllow = pgTable("egress_allow", {
  host: text().primaryKey(),
  addedBy: text().notNull(),
  createdAt: createdAt(),
});
