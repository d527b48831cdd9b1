// What the prompt says about skills and about the Python package in /tools.
import type { PromptSources } from "#mcp/prompt/agent-system-prompt.ts";

export async function promptKnowledge(
  _userId: string,
): Promise<Pick<PromptSources, "skills" | "toolsIndex">> {
  return { skills: [], toolsIndex: [] };
}
