// The system prompt for one user: what MCP clients get and what our own agent works by.
import { env } from "#env.ts";
import { agentSystemPrompt, type Described } from "#mcp/prompt/agent-system-prompt.ts";
import type { PromptLimits } from "#mcp/prompt/limits-section.ts";
import { catalogueDocument } from "#mcp/tools/catalogue-document.ts";
import { promptKnowledge } from "./prompt-knowledge.ts";

/** `tools` are those the reader can call: all of them, unless it is told otherwise. */
export async function agentPrompt(
  userId: string,
  tools: readonly Described[] = catalogueDocument,
): Promise<string> {
  return agentSystemPrompt({ tools, ...(await promptKnowledge(userId)), limits: promptLimits() });
}

function promptLimits(): PromptLimits {
  const settings = env();
  return {
    timeoutSeconds: settings.COVE_TIMEOUT,
    maxTimeoutSeconds: settings.COVE_TIMEOUT_MAX,
    memoryBytes: settings.COVE_SANDBOX_MEMORY,
    cpus: settings.COVE_SANDBOX_CPUS,
    diskBytes: settings.COVE_SANDBOX_DISK,
    processes: settings.COVE_SANDBOX_PIDS,
    concurrency: settings.COVE_CONCURRENCY,
    callsPerMinute: settings.COVE_RATE_LIMIT,
    network: settings.COVE_EGRESS,
    allowedHosts: settings.COVE_EGRESS_ALLOW,
  };
}
