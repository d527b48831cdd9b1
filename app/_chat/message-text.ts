import type { ChatMessage } from "#lib/chats/chat-message.ts";

/** The words of a message, without what its tools did: what one copies, edits or hears read out. */
export function messageText({ parts }: ChatMessage): string {
  return parts
    .flatMap((part) => (part.type === "text" ? [part.text.trim()] : []))
    .filter(Boolean)
    .join("\n\n");
}

/** Where the files are that came with a message. */
export function attachedFiles({ parts }: ChatMessage): string[] {
  return parts.flatMap((part) => (part.type === "data-file" ? [part.data.path] : []));
}
