// What the agent is told: the very text that MCP clients get, about the tools it has. Kept for a moment, because the skills
// behind it are files and rows; fresh within seconds of a change.
import { catalogueDocument } from "#mcp/tools/catalogue-document.ts";
import { perProcess } from "../per-process.ts";
import { agentPrompt } from "../prompt/agent-prompt.ts";

/** The agent never starts another one. */
export const agentCatalogue = catalogueDocument.filter(({ name }) => name !== "run_agent");

const FRESH_MS = 3_000;
const MOST_KEPT = 200;
const kept = perProcess<Map<string, { at: number; text: Promise<string> }>>("agent instructions");

export function agentInstructions(userId: string): Promise<string> {
  const all = kept.get(() => new Map());
  const known = all.get(userId);
  if (known && Date.now() - known.at < FRESH_MS) return known.text;
  const text = agentPrompt(userId, agentCatalogue);
  text.catch(() => all.delete(userId));
  all.delete(userId);
  all.set(userId, { at: Date.now(), text });
  if (all.size > MOST_KEPT) all.delete(all.keys().next().value ?? "");
  return text;
}
