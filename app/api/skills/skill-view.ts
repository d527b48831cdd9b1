import type { Skill } from "#lib/skills/skills.ts";

/** A skill as the REST door shows it. */
export function skillView({ folder, file, allowedTools, ...skill }: Skill) {
  return { ...skill, allowed_tools: allowedTools, path: `${folder}/${file}` };
}
