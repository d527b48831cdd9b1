// Builds a message out of the chunks of its stream. A page that comes late plays the same chunks and arrives at the same message.
import type { DynamicToolUIPart, UIMessageChunk } from "ai";
import type { ChatMessage, ChatMetadata } from "#lib/chats/chat-message.ts";
import { partialJson } from "./partial-json.ts";

type Part = ChatMessage["parts"][number];
type Chunk = UIMessageChunk<ChatMetadata>;

export class MessageBuilder {
  #message: ChatMessage;
  // Where the parts that still grow are, by the id their chunks carry.
  #open = new Map<string, number>();
  #inputs = new Map<string, string>();

  constructor(message: ChatMessage) {
    this.#message = { ...message, parts: [] };
  }

  get message(): ChatMessage {
    return this.#message;
  }

  apply(chunk: Chunk): void {
    switch (chunk.type) {
      case "text-start":
      case "reasoning-start":
        this.#add(keyOf(chunk), {
          type: chunk.type === "text-start" ? "text" : "reasoning",
          text: "",
          state: "streaming",
        });
        break;
      case "text-delta":
      case "reasoning-delta":
        this.#change(keyOf(chunk), (part) =>
          "text" in part ? { ...part, text: part.text + chunk.delta } : part,
        );
        break;
      case "text-end":
      case "reasoning-end":
        this.#change(keyOf(chunk), (part) => ("text" in part ? { ...part, state: "done" } : part));
        break;
      case "tool-input-start":
        this.#tool(chunk, { state: "input-streaming", input: undefined });
        break;
      case "tool-input-delta": {
        const text = (this.#inputs.get(chunk.toolCallId) ?? "") + chunk.inputTextDelta;
        this.#inputs.set(chunk.toolCallId, text);
        this.#tool(chunk, { state: "input-streaming", input: partialJson(text) });
        break;
      }
      case "tool-input-available":
        this.#tool(chunk, { state: "input-available", input: chunk.input });
        break;
      case "tool-input-error":
        this.#tool(chunk, { state: "output-error", input: chunk.input, errorText: chunk.errorText });
        break;
      case "tool-output-available":
        this.#tool(chunk, {
          state: "output-available",
          output: chunk.output,
          preliminary: chunk.preliminary,
        });
        break;
      case "tool-output-error":
        this.#tool(chunk, { state: "output-error", errorText: chunk.errorText });
        break;
      case "start":
      case "finish":
      case "message-metadata":
        if (chunk.messageMetadata) this.setMetadata(chunk.messageMetadata);
        break;
      case "reset-step":
        this.#message = { ...this.#message, parts: [] };
        this.#open.clear();
        break;
      case "start-step":
        this.#put([...this.#message.parts, { type: "step-start" }]);
        break;
    }
  }

  setMetadata(metadata: Partial<ChatMetadata>): void {
    const { metadata: known = { status: "running", createdAt: "" } } = this.#message;
    this.#message = { ...this.#message, metadata: { ...known, ...metadata } };
  }

  #add(id: string, part: Part): void {
    this.#open.set(id, this.#message.parts.length);
    this.#put([...this.#message.parts, part]);
  }

  #change(id: string, change: (part: Part) => Part): void {
    const at = this.#open.get(id);
    if (at !== undefined)
      this.#put(this.#message.parts.map((part, index) => (index === at ? change(part) : part)));
  }

  #tool(
    { toolCallId, toolName }: { toolCallId: string; toolName?: string },
    now: Record<string, unknown>,
  ): void {
    if (!this.#open.has(toolCallId)) {
      this.#add(toolCallId, {
        type: "dynamic-tool",
        toolCallId,
        toolName: toolName ?? "tool",
        state: "input-streaming",
        input: undefined,
      });
    }
    this.#change(toolCallId, (part) => ({ ...part, ...now }) as DynamicToolUIPart);
  }

  #put(parts: Part[]): void {
    this.#message = { ...this.#message, parts };
  }
}

/** Text and reasoning count their parts separately. */
function keyOf({ type, id }: { type: string; id: string }): string {
  return `${type.startsWith("text") ? "text" : "reasoning"} ${id}`;
}
