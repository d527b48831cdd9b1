// What the prompt says about skills and about the Python package in /tools. It asks Postgres and the host's folders, never
// a sandbox.
import type { PromptSources } from "#mcp/prompt/agent-system-prompt.ts";
import { skillsOf } from "../skills/skills.ts";
import { toolsIndex } from "../skills/tools-index.ts";

export async function promptKnowledge(userId: string): Promise<Pick<PromptSources, "skills" | "toolsIndex">> {
  const [skills, index] = await Promise.all([skillsOf(userId), toolsIndex()]);
  return {
    skills: skills.map(({ name, description, folder, file }) => ({
      name,
      description,
      path: `${folder}/${file}`,
    })),
    toolsIndex: index.map(({ name, description, file }) => ({
      name,
      description: `${description} (${file})`,
    })),
  };
}
