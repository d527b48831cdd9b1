// The system prompt for one user: what MCP clients get and what our own agent works by.
import { agentSystemPrompt, type Described } from "#mcp/prompt/agent-system-prompt.ts";
import { catalogueDocument } from "#mcp/tools/catalogue-document.ts";
import { userLimits } from "../user-limits.ts";
import { promptKnowledge } from "./prompt-knowledge.ts";

/** `tools` are those the reader can call: all of them, unless it is told otherwise. */
export async function agentPrompt(
  userId: string,
  tools: readonly Described[] = catalogueDocument,
): Promise<string> {
  return agentSystemPrompt({ tools, ...(await promptKnowledge(userId)), limits: userLimits() });
}
