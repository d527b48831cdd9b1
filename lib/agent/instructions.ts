// What the agent is told: the very text that MCP clients get, about the tools it has.
import { findTool } from "#mcp/tools/catalogue.ts";
import { catalogueDocument } from "#mcp/tools/catalogue-document.ts";
import { agentPrompt } from "../prompt/agent-prompt.ts";
import { ownSkillsNoticed } from "../skills/notice-own-skills.ts";
import { cachedPrompt } from "../skills/prompt-cache.ts";

/** The agent never starts another one. */
export const agentCatalogue = catalogueDocument.filter(({ name }) => !findTool(name)?.startsAgent);

export async function agentInstructions(userId: string): Promise<string> {
  // A skill that the last run wrote is offered in the next turn.
  await ownSkillsNoticed(userId);
  return cachedPrompt(userId, () => agentPrompt(userId, agentCatalogue));
}
