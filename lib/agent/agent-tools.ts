// The catalogue as the agent's tools. Each call goes the one path of every run, as the user the turn belongs to.
import { dynamicTool, jsonSchema, type ToolSet } from "ai";
import type { Door } from "../executions/run-tool.ts";
import { loggedError } from "../logged-error.ts";
import { agentCatalogue } from "./instructions.ts";
import { liveRun } from "./live-run.ts";
import { modelText, recalledText, shownOutput } from "./shown-output.ts";

export interface AgentCaller {
  userId: string;
  door: Door;
  conversationId?: string;
}

export interface AgentTools {
  tools: ToolSet;
  /** A program is at work, so nobody waits for the model. */
  busy(): boolean;
  /** Resolves when nothing runs any more; by call, what came of it, also of those whose stream was cut before. */
  settled(): Promise<Map<string, Record<string, unknown>>>;
}

export const toolOrder = agentCatalogue.map(({ name }) => name);

export function agentTools({ userId, door, conversationId }: AgentCaller, signal: AbortSignal): AgentTools {
  const texts = new Map<string, string>();
  const outputs = new Map<string, Record<string, unknown>>();
  const running = new Set<Promise<void>>();

  async function* execute(name: string, input: unknown, toolCallId: string) {
    const { updates, result } = liveRun({
      userId,
      door,
      ...(conversationId && { conversationId }),
      name,
      arguments: input,
      signal,
    });
    // Kept here as well: once the turn is stopped, nobody asks this generator for the result any more.
    const kept = result
      .then(({ structured, text }) => {
        texts.set(toolCallId, modelText(text));
        outputs.set(toolCallId, shownOutput(structured));
      })
      .catch(() => undefined)
      .finally(() => running.delete(kept));
    running.add(kept);
    yield* updates;
    try {
      await result;
    } catch (error) {
      throw loggedError(error, { tool: name });
    }
    await kept;
    yield outputs.get(toolCallId);
  }

  const tools = Object.fromEntries(
    agentCatalogue.map(({ name, title, description, inputSchema }) => [
      name,
      dynamicTool({
        title,
        description,
        // Arguments are checked where every call's are, so a wrong one is refused in the same words.
        inputSchema: jsonSchema(inputSchema as never),
        execute: (input, { toolCallId }) => execute(name, input, toolCallId),
        toModelOutput: ({ toolCallId, output }) => ({
          type: "text",
          value: texts.get(toolCallId) ?? recalledText(output),
        }),
      }),
    ]),
  );

  return {
    tools,
    busy: () => running.size > 0,
    async settled() {
      await Promise.all(running);
      return outputs;
    },
  };
}
