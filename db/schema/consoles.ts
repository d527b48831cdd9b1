import { index, integer, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { createdAt, id, time } from "./columns.ts";
import { owner } from "./people.ts";

/** What somebody typed into a console. Each save counts the version up, so that one from an older page is noticed. */
export const consoles = pgTable(
  "consoles",
  {
    id: id(),
    userId: owner(),
    name: text().notNull(),
    session: text().notNull(),
    // JSON as text, like everything from outside.
    cells: text().notNull(),
    version: integer().notNull().default(1),
    createdAt: createdAt(),
    updatedAt: time().notNull().defaultNow(),
  },
  (t) => [index().on(t.userId, t.updatedAt)],
);

/** The latest run of each cell. Not part of what was typed: running is no reason for a conflict. */
export const consoleRuns = pgTable(
  "console_runs",
  {
    consoleId: uuid()
      .notNull()
      .references(() => consoles.id, { onDelete: "cascade" }),
    cellId: text().notNull(),
    executionId: uuid().notNull(),
  },
  (t) => [primaryKey({ columns: [t.consoleId, t.cellId] })],
);
