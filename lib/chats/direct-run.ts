// Messages that are programs: run straight in the sandbox, without a model.
import type { UIMessageChunk } from "ai";
import { v7 } from "uuid";
import { env } from "#env.ts";
import { liveRun } from "../agent/live-run.ts";
import { shownOutput } from "../agent/shown-output.ts";
import { loggedError } from "../logged-error.ts";

export interface Program {
  name: "execute_bash" | "execute_python";
  arguments: Record<string, unknown>;
}

const SHELLS = new Set(["bash", "sh", "shell", "console"]);
const PYTHONS = new Set(["", "python", "py", "python3"]);

/** `!command`, `>>> code`, or one fenced block and nothing else. */
export function programIn(text: string): Program | undefined {
  const given = text.trim();
  if (given.startsWith("!")) return bash(given.slice(1).trim());
  if (given.startsWith(">>>")) return python(withoutPrompts(given));
  const [, fence, language = "", code] = /^(```|~~~)([\w+-]*)[ \t]*\n([\s\S]*?)\n?\1$/.exec(given) ?? [];
  if (!fence || code === undefined || code.includes(`\n${fence}`)) return undefined;
  const known = language.toLowerCase();
  if (SHELLS.has(known)) return bash(code);
  return PYTHONS.has(known) ? python(code) : undefined;
}

/** The run as the chunks of a message. A stopped one ends with what it had printed. */
export async function* runProgram(
  { name, arguments: given }: Program,
  caller: { userId: string; conversationId: string; signal: AbortSignal },
): AsyncGenerator<UIMessageChunk> {
  const toolCallId = v7();
  const input = { ...given, timeout: env().COVE_TIMEOUT_MAX };
  yield { type: "tool-input-available", toolCallId, toolName: name, input: given, dynamic: true };
  const { updates, result } = liveRun({ ...caller, door: "chat", name, arguments: input });
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

function bash(command: string): Program | undefined {
  return command ? { name: "execute_bash", arguments: { command } } : undefined;
}

function python(code: string): Program | undefined {
  return code.trim() ? { name: "execute_python", arguments: { code } } : undefined;
}

/** As pasted from an interpreter, or with a prompt only before the first line. */
function withoutPrompts(text: string): string {
  const lines = text.split("\n");
  const pasted = lines.filter((line) => line.startsWith(">>>")).length > 1;
  if (!pasted)
    return [lines[0]?.replace(/^>>> ?/, ""), ...lines.slice(1).map((l) => l.replace(/^\.\.\. ?/, ""))].join(
      "\n",
    );
  return lines
    .filter((line) => /^(>>>|\.\.\.)/.test(line))
    .map((line) => line.replace(/^(>>>|\.\.\.) ?/, ""))
    .join("\n");
}
