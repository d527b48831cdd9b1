import { AppError } from "#lib/app-error.ts";
import { type SkillView, viewSkill } from "#lib/skills/view-skill.ts";

/** Nothing where there is no such skill. The name comes from the address, as it was typed. */
export async function openSkill(userId: string, name: string): Promise<SkillView | undefined> {
  try {
    return await viewSkill(userId, decodeURIComponent(name));
  } catch (error) {
    if (error instanceof URIError || (error instanceof AppError && error.code === "not_found"))
      return undefined;
    throw error;
  }
}
