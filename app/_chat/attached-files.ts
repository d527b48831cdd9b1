import type { ChatMessage } from "#lib/chats/chat-message.ts";

/** The names of the files that came with a message. */
export function attachedFiles({ parts }: ChatMessage): string[] {
  return parts.flatMap((part) =>
    part.type === "data-file" ? [part.data.path.slice(part.data.path.lastIndexOf("/") + 1)] : [],
  );
}
