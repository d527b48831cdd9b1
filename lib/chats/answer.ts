// The agent's answer in a conversation, as the work of a turn.
import { convertToModelMessages, type ToolSet, toUIMessageChunk } from "ai";
import { runAgent } from "../agent/run-agent.ts";
import { AppError } from "../app-error.ts";
import type { ChosenModel } from "../models/choose-model.ts";
import type { ChatMessage } from "./chat-message.ts";
import type { Work } from "./run-turn.ts";

interface Question {
  userId: string;
  conversationId: string;
  chosen: ChosenModel;
  /** Everything said before, the question included. */
  history: ChatMessage[];
}

export function answer({ userId, conversationId, chosen, history }: Question): Work {
  return async (signal, add) => {
    const turn = {
      userId,
      door: "chat" as const,
      conversationId,
      chosen,
      signal,
      messages: (tools: ToolSet) =>
        convertToModelMessages<ChatMessage>(history.filter(saysSomething), {
          tools,
          ignoreIncompleteToolCalls: true,
          // A file is in the workspace, where the tools are; the model needs to know its path, not its contents.
          convertDataPart: ({ data }) => ({ type: "text", text: `Attached file: ${data.path}` }),
        }),
    };
    const open = new Set<string>();
    const { status, problem, inputTokens, outputTokens, outputs } = await runAgent(turn, (part, tools) => {
      const chunk = toUIMessageChunk(part, { tools, sendStart: false, sendFinish: false, onError: sentence });
      if (!chunk || chunk.type === "error") return;
      if (chunk.type === "tool-input-available") open.add(chunk.toolCallId);
      if (chunk.type === "tool-output-available" && !chunk.preliminary) open.delete(chunk.toolCallId);
      add(chunk);
    });
    // Stopped in the middle of a program: its stream was cut, its result came.
    for (const toolCallId of open) {
      const output = outputs.get(toolCallId);
      if (output) add({ type: "tool-output-available", toolCallId, output, dynamic: true });
    }
    return { status, ...(problem && { error: problem.message }), inputTokens, outputTokens };
  };
}

/** An answer that failed before its first word would be an empty message, which providers refuse. */
function saysSomething({ parts }: ChatMessage): boolean {
  return parts.some((part) => part.type !== "step-start" && (part.type !== "text" || part.text !== ""));
}

function sentence(error: unknown): string {
  if (error instanceof AppError) return error.message;
  return "The model made a call that can't be read.";
}
