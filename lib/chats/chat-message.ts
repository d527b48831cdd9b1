// A message of a conversation as it is kept, streamed and shown: an AI SDK UI message with what Cove knows about it.
// Tool calls are parts of type `dynamic-tool`; their output is the tool's structured content, and while one runs,
// preliminary outputs carry what it has printed so far. An attached file is a part of type `data-file` with its path.
import type { UIMessage } from "ai";

export type ChatMessage = UIMessage<ChatMetadata, { file: { path: string } }>;

export interface ChatMetadata {
  status: MessageStatus;
  /** ISO 8601. */
  createdAt: string;
  /** A sentence for the person, when the turn failed. */
  error?: string;
  /** `provider/name`; absent when no model had a part in it. */
  model?: string;
  inputTokens?: number;
  outputTokens?: number;
}

/** `interrupted`: the server ended in the middle of it. */
export type MessageStatus = "running" | "done" | "stopped" | "failed" | "interrupted";
