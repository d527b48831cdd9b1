import { index, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { createdAt, id } from "./columns.ts";

/**
 * Who changed what about people, access and limits. Rows are only ever added, and deleted once they are a year old: a trigger
 * refuses everything else. Nothing refers to users, so that deleting one leaves what they did.
 */
export const audit = pgTable(
  "audit",
  {
    id: id(),
    // Empty for the command line and the server itself.
    actorId: uuid(),
    // As they were called then: an e-mail address, `command line` or `server`.
    actor: text().notNull(),
    action: text().notNull(),
    // Whom or what it was done to.
    subject: text().notNull().default(""),
    subjectId: uuid(),
    createdAt: createdAt(),
  },
  (t) => [index().on(t.action, t.id), index().on(t.actorId, t.id), index().on(t.subjectId, t.id)],
);
