// A message that is a program is run straight in the sandbox, without a model.
import type { UIMessageChunk } from "ai";
import { v7 } from "uuid";
import { env } from "#env.ts";
import { liveRun } from "../agent/live-run.ts";
import { shownOutput } from "../agent/shown-output.ts";
import { loggedError } from "../logged-error.ts";
import type { Program } from "./program-in.ts";

/** The run as the chunks of a message. A stopped one ends with what it had printed. */
export async function* runProgram(
  program: Program,
  caller: { userId: string; conversationId: string; signal: AbortSignal },
): AsyncGenerator<UIMessageChunk> {
  const toolCallId = v7();
  const { name, input } = callOf(program);
  yield { type: "tool-input-available", toolCallId, toolName: name, input, dynamic: true };
  const { updates, result } = liveRun({
    ...caller,
    door: "chat",
    name,
    arguments: { ...input, timeout: env().COVE_TIMEOUT_MAX },
  });
  for await (const output of updates) {
    yield { type: "tool-output-available", toolCallId, output, preliminary: true, dynamic: true };
  }
  try {
    const { structured } = await result;
    yield { type: "tool-output-available", toolCallId, output: shownOutput(structured), dynamic: true };
  } catch (error) {
    const { message } = loggedError(error, { tool: name });
    yield { type: "tool-output-error", toolCallId, errorText: message, dynamic: true };
  }
}

function callOf({ language, code }: Program) {
  return language === "bash"
    ? { name: "execute_bash", input: { command: code } }
    : { name: "execute_python", input: { code } };
}
