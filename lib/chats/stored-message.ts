// Messages between the database and everybody else.
import type { MessageRow } from "#db/queries/messages.ts";
import type { ChatMessage, MessageStatus } from "./chat-message.ts";

export function toChatMessage(row: MessageRow): ChatMessage {
  return {
    id: row.id,
    role: row.role === "user" ? "user" : "assistant",
    parts: JSON.parse(row.parts),
    metadata: {
      status: row.status as MessageStatus,
      createdAt: row.createdAt.toISOString(),
      ...(row.error && { error: row.error }),
      ...(row.model && { model: row.model }),
      ...(row.inputTokens !== null && { inputTokens: row.inputTokens }),
      ...(row.outputTokens !== null && { outputTokens: row.outputTokens }),
    },
  };
}

const MOST_BODY = 200_000;

/** What a search should find: what was said, what was run, what was printed. */
export function bodyOf(parts: ChatMessage["parts"]): string {
  const texts = parts.flatMap((part) => {
    if (part.type === "text") return [part.text];
    if (part.type !== "dynamic-tool") return [];
    const output = (part.output ?? {}) as { stdout?: unknown; stderr?: unknown };
    const input = (part.input ?? {}) as Record<string, unknown>;
    return [...Object.values(input), output.stdout, output.stderr].filter(
      (value) => typeof value === "string",
    );
  });
  return storable(texts.join("\n").slice(0, MOST_BODY));
}

/** Postgres takes neither NUL nor half a character. */
export function storable(text: string): string {
  return text.replaceAll("\0", "").toWellFormed();
}
