import { and, eq, inArray, notInArray, sql } from "drizzle-orm";
import type { Database } from "../client.ts";
import { skills, skillsOff } from "../schema.ts";

const skillColumns = {
  name: skills.name,
  file: skills.file,
  description: skills.description,
  license: skills.license,
  compatibility: skills.compatibility,
  version: skills.version,
  dependencies: skills.dependencies,
  allowedTools: skills.allowedTools,
  warnings: skills.warnings,
  problem: skills.problem,
  size: skills.size,
  modifiedMs: skills.modifiedMs,
};
export type SkillRow = Pick<typeof skills.$inferSelect, keyof typeof skillColumns>;

export async function listSkills(db: Database, userId: string): Promise<SkillRow[]> {
  return db.select(skillColumns).from(skills).where(eq(skills.userId, userId)).orderBy(skills.name);
}

/** Writes what is there and forgets what is gone, in one step: nobody sees half of it. */
export async function replaceSkills(
  db: Database,
  userId: string,
  { rows, gone }: { rows: SkillRow[]; gone: string[] },
): Promise<void> {
  await db.transaction(async (transaction) => {
    if (gone.length > 0) {
      await transaction.delete(skills).where(and(eq(skills.userId, userId), inArray(skills.name, gone)));
    }
    for (const row of rows) {
      const { name, ...values } = row;
      await transaction
        .insert(skills)
        .values({ userId, name, ...values })
        .onConflictDoUpdate({ target: [skills.userId, skills.name], set: { ...values, readAt: sql`now()` } });
    }
  });
}

/** All of a user's own. */
export async function deleteSkills(db: Database, userId: string): Promise<void> {
  await db.delete(skills).where(eq(skills.userId, userId));
}

export async function listSkillsOff(db: Database, userId: string): Promise<string[]> {
  const rows = await db.select({ name: skillsOff.name }).from(skillsOff).where(eq(skillsOff.userId, userId));
  return rows.map(({ name }) => name);
}

/** What was switched off and is no longer there. */
export async function forgetOtherSkills(db: Database, userId: string, names: string[]): Promise<void> {
  await db.delete(skillsOff).where(and(eq(skillsOff.userId, userId), notInArray(skillsOff.name, names)));
}

export async function switchSkill(db: Database, userId: string, name: string, on: boolean): Promise<void> {
  if (on) {
    await db.delete(skillsOff).where(and(eq(skillsOff.userId, userId), eq(skillsOff.name, name)));
  } else {
    await db.insert(skillsOff).values({ userId, name }).onConflictDoNothing();
  }
}
