import { doublePrecision, integer, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { time } from "./columns.ts";
import { owner } from "./people.ts";

/** The front matter of skills in people's workspaces, so that a prompt is made without opening a sandbox. */
export const skills = pgTable(
  "skills",
  {
    userId: owner(),
    // Its folder under /workspace/.agents/skills.
    name: text().notNull(),
    // What the file is called: SKILL.md, or nearly so.
    file: text().notNull(),
    description: text().notNull().default(""),
    license: text(),
    compatibility: text(),
    version: text(),
    // Lists of strings as JSON.
    dependencies: text().notNull().default("[]"),
    allowedTools: text().notNull().default("[]"),
    warnings: text().notNull().default("[]"),
    // Why it can't be offered.
    problem: text(),
    size: integer().notNull(),
    modifiedMs: doublePrecision().notNull(),
    readAt: time().notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.name] })],
);

/** Skills that somebody doesn't want to be offered, built-in or their own. */
export const skillsOff = pgTable("skills_off", { userId: owner(), name: text().notNull() }, (t) => [
  primaryKey({ columns: [t.userId, t.name] }),
]);
