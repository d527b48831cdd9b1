// A message as a page sees it grow. A page that comes late plays the same chunks and arrives at the same message.
import type { UIMessageChunk } from "ai";
import type { ChatMessage, ChatMetadata } from "#lib/chats/chat-message.ts";
import { MessageParts } from "#lib/chats/message-parts.ts";
import { partialJson } from "./partial-json.ts";

export class MessageBuilder {
  #message: ChatMessage;
  #parts = new MessageParts(partialJson);

  constructor(message: ChatMessage) {
    this.#message = message;
  }

  get message(): ChatMessage {
    return { ...this.#message, parts: [...this.#parts.parts] };
  }

  apply(chunk: UIMessageChunk<ChatMetadata>): void {
    if ("messageMetadata" in chunk && chunk.messageMetadata) this.setMetadata(chunk.messageMetadata);
    this.#parts.add(chunk);
  }

  setMetadata(metadata: Partial<ChatMetadata>): void {
    const { metadata: known = { status: "running", createdAt: "" } } = this.#message;
    this.#message = { ...this.#message, metadata: { ...known, ...metadata } };
  }
}
