import { sql } from "drizzle-orm";
import { boolean, check, pgTable, text } from "drizzle-orm/pg-core";
import { createdAt } from "./columns.ts";

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
