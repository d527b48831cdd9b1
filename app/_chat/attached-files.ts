import type { ChatMessage } from "#lib/chats/chat-message.ts";

/** Where the files are that came with a message. */
export function attachedFiles({ parts }: ChatMessage): string[] {
  return parts.flatMap((part) => (part.type === "data-file" ? [part.data.path] : []));
}
