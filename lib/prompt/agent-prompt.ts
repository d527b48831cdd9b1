// The system prompt for one user: what MCP clients get and what our own agent works by.
import { agentSystemPrompt, type Described, type PromptSources } from "#mcp/prompt/agent-system-prompt.ts";
import { catalogueDocument } from "#mcp/tools/catalogue-document.ts";
import { userLimits } from "../sandboxes/user-limits.ts";
import { skillsOf } from "../skills/skills.ts";
import { toolsIndex } from "../skills/tools-index.ts";

/** `tools` are those the reader can call: all of them, unless it is told otherwise. */
export async function agentPrompt(
  userId: string,
  tools: readonly Described[] = catalogueDocument,
): Promise<string> {
  return agentSystemPrompt({ tools, ...(await promptKnowledge(userId)), limits: userLimits() });
}

/** What it says about skills and about the Python package in /tools. Postgres and the host know that; no sandbox is asked. */
async function promptKnowledge(userId: string): Promise<Pick<PromptSources, "skills" | "toolsIndex">> {
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
