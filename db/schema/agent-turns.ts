import { boolean, index, integer, pgTable, text } from "drizzle-orm/pg-core";
import { createdAt, id } from "./columns.ts";
import { owner } from "./people.ts";

/** What every turn of the agent used, whatever door asked for it. */
export const agentTurns = pgTable(
  "agent_turns",
  {
    id: id(),
    userId: owner(),
    door: text().notNull(),
    model: text().notNull(),
    steps: integer().notNull(),
    inputTokens: integer().notNull(),
    outputTokens: integer().notNull(),
    durationMs: integer().notNull(),
    outcome: text().notNull(),
    // Paid by the person, so it counts towards no limit of the installation's.
    ownKey: boolean().notNull().default(false),
    createdAt: createdAt(),
  },
  (t) => [index().on(t.userId, t.id)],
);
