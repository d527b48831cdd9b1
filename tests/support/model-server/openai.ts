// OpenAI's chat completions, as a server of that protocol speaks them.
import type { Asked, Reply } from "./script.ts";
import { piecesOf } from "./script.ts";

interface Message {
  role: string;
  content?: string | { type: string; text?: string }[] | null;
}

export function readOpenAi(body: Record<string, unknown>, headers: Asked["headers"]): Asked {
  const messages = (body.messages ?? []) as Message[];
  const last = messages.findLastIndex(({ role }) => role === "user");
  const tools = (body.tools ?? []) as { function: { name: string } }[];
  return {
    model: String(body.model),
    question: textOf(messages[last]),
    system: messages
      .filter(({ role }) => role === "system" || role === "developer")
      .map(textOf)
      .join("\n"),
    results: messages
      .slice(last + 1)
      .filter(({ role }) => role === "tool")
      .map(textOf),
    tools: tools.map(({ function: { name } }) => name),
    stream: body.stream === true,
    body,
    headers,
  };
}

export function openAiAnswer(reply: Reply, asked: Asked): unknown {
  const message = { role: "assistant", content: piecesOf(reply).join("") || null, tool_calls: calls(reply) };
  return {
    ...envelope(asked),
    choices: [{ index: 0, message, finish_reason: finish(reply) }],
    usage: usage(reply),
  };
}

/** The chunks before the end, and those of the end. */
export function openAiChunks(reply: Reply, asked: Asked): { pieces: unknown[]; end: unknown[] } {
  const chunk = (delta: object, finish_reason: string | null = null) => ({
    ...envelope(asked),
    object: "chat.completion.chunk",
    choices: [{ index: 0, delta, finish_reason }],
  });
  return {
    pieces: [
      ...piecesOf(reply).map((content) => chunk({ role: "assistant", content })),
      ...(calls(reply) ?? []).map((call, index) => chunk({ tool_calls: [{ index, ...call }] })),
    ],
    end: [chunk({}, finish(reply)), { ...envelope(asked), choices: [], usage: usage(reply) }],
  };
}

function calls({ calls }: Reply) {
  return calls?.map(({ name, arguments: given }, index) => ({
    id: `call_${name}_${index}_${Math.random().toString(36).slice(2)}`,
    type: "function",
    function: { name, arguments: typeof given === "string" ? given : JSON.stringify(given) },
  }));
}

function finish(reply: Reply): string {
  return reply.finish ?? (reply.calls?.length ? "tool_calls" : "stop");
}

function usage({ usage: { input, output } = { input: 100, output: 10 } }: Reply) {
  return { prompt_tokens: input, completion_tokens: output, total_tokens: input + output };
}

function envelope({ model }: Asked) {
  return { id: "chatcmpl-scripted", object: "chat.completion", created: 1_700_000_000, model };
}

function textOf(message: Message | undefined): string {
  const { content } = message ?? {};
  return typeof content === "string" ? content : (content ?? []).map(({ text }) => text ?? "").join("\n");
}
