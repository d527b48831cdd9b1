// A conversation as a Markdown document.
import type { DynamicToolUIPart } from "ai";
import type { ChatMessage } from "./chat-message.ts";
import { openConversation } from "./conversations.ts";

// More than anybody says.
const MOST_MESSAGES = 100_000;

export async function exportConversation(
  userId: string,
  id: string,
): Promise<{ filename: string; markdown: string }> {
  const { title, messages } = await openConversation(userId, id, { limit: MOST_MESSAGES });
  const name = title || "Conversation";
  const filename = `${
    name
      .replace(/[^\p{L}\p{N}]+/gu, "-")
      .replace(/^-|-$/g, "")
      .slice(0, 60) || "chat"
  }.md`;
  return {
    filename,
    markdown: [`# ${name.replace(/\s+/g, " ")}`, ...messages.map(section)].join("\n\n").concat("\n"),
  };
}

function section({ role, parts, metadata }: ChatMessage): string {
  const who = role === "user" ? "You" : (metadata?.model ?? "Cove");
  const when = metadata?.createdAt.slice(0, 16).replace("T", " ");
  const notes = metadata && metadata.status !== "done" ? [`*${metadata.error ?? metadata.status}*`] : [];
  return [`## ${who} · ${when}`, ...parts.flatMap(block), ...notes].join("\n\n");
}

function block(part: ChatMessage["parts"][number]): string[] {
  switch (part.type) {
    case "text":
      return part.text ? [part.text] : [];
    case "data-file":
      return [`Attached: \`${part.data.path}\``];
    case "dynamic-tool":
      return call(part);
    default:
      return [];
  }
}

function call(part: DynamicToolUIPart): string[] {
  const input = (part.input ?? {}) as Record<string, unknown>;
  const [language, code] =
    typeof input.command === "string"
      ? ["bash", input.command]
      : typeof input.code === "string"
        ? ["python", input.code]
        : ["json", JSON.stringify(input, null, 2)];
  const output = (part.state === "output-available" ? part.output : {}) as Record<string, unknown>;
  const printed = [output.stdout, output.stderr, part.errorText].filter(
    (text) => typeof text === "string" && text,
  );
  const results = Array.isArray(output.results) ? output.results : [];
  const shown = results.map(({ mime, text }) => (typeof text === "string" ? text : `[${mime}]`));
  return [
    `**${part.toolName}**`,
    fenced(language ?? "", code ?? ""),
    ...[...printed, ...shown].map((text) => fenced("", String(text))),
  ];
}

/** A fence longer than any inside. */
function fenced(language: string, text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text.replace(/\n$/, "")}\n${fence}`;
}
