import { pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { bytea, createdAt } from "./columns.ts";
import { owner } from "./people.ts";

/** A user's own key for a model provider. Encrypted; the hint is its last four characters. */
export const modelKeys = pgTable(
  "model_keys",
  {
    userId: owner(),
    provider: text().notNull(),
    secret: bytea().notNull(),
    hint: text().notNull(),
    // Where a server of their own answers; for `local` alone.
    baseUrl: text(),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.provider] })],
);
