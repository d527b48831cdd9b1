/** 1–64 lower-case letters, digits and single hyphens within. It is also a folder's name and a part of addresses. */
export function isSkillName(name: string): boolean {
  return name.length <= 64 && /^[a-z0-9]+(-[a-z0-9]+)*$/.test(name);
}

export const NAME_RULE =
  "A skill's name is 1 to 64 lower-case letters, digits and single hyphens, such as sales-report";

/** As the standard spells it first; others' skills may spell it differently. */
export const SKILL_FILES = ["SKILL.md", "Skill.md", "skill.md"] as const;
