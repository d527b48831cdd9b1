// Skills in the shape tools and doors show them.
import type { SkillSummary, ToolContext } from "#mcp/tools/tool.ts";
import { readSkill } from "./read-skill.ts";
import { type Skill, skillsOf } from "./skills.ts";

export function skillsForTools(userId: string): ToolContext["skills"] {
  return {
    list: async () => (await skillsOf(userId)).map(summaryOf),
    async read(name, file) {
      const { skill, path, content } = await readSkill(userId, name, file);
      return { ...summaryOf(skill), path: `${skill.folder}/${path}`, content };
    },
  };
}

function summaryOf({ name, description, version, dependencies, source, folder, file }: Skill): SkillSummary {
  return { name, description, version, dependencies, source, path: `${folder}/${file}` };
}
