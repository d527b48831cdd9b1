// What goes into a call and what comes out, whatever the door.
import type { Toolset } from "#mcp/tools/catalogue.ts";
import type { AgentForTools, Outcome, ResourceLink, Tool } from "#mcp/tools/tool.ts";
import type { OutputChunk } from "#sandbox/index.ts";

/** `web` is a page that changes files; the others are named after themselves. */
export type Door = "rest" | "mcp" | "openai" | "chat" | "console" | "web";

/** What a call does: a tool, or something of that shape that no catalogue lists. */
export type Work = Pick<Tool, "recorded" | "needsPlace" | "run">;

export interface ToolCall {
  /** From the guard that let the caller in, and from nowhere else. */
  userId: string;
  door: Door;
  name: string;
  arguments: unknown;
  /** Names beyond the catalogue's that the caller asked for. */
  toolset?: Toolset;
  /** By the doors at which a tool may start the agent: it runs tools itself, so what runs them doesn't know it. */
  agent?: (call: ToolCall) => AgentForTools;
  /** The chat it belongs to. */
  conversationId?: string;
  /** Made here unless given by whoever has to know it before the run. */
  executionId?: string;
  /** The same key with the same call is one run. */
  idempotencyKey?: string;
  /** Ends the run. */
  signal?: AbortSignal;
  onOutput?: (chunk: OutputChunk) => void | Promise<void>;
  /** A program runs, or waits in the queue: it was not refused. */
  onBegun?: () => void;
  /** A call that takes longer goes on; the answer says how to find it again. */
  waitMs?: number;
}

export interface ToolResult {
  structured: Record<string, unknown>;
  text: string;
  images: { mime: string; data: Buffer }[];
  /** What can be read by address. */
  links?: ResourceLink[];
  isError: boolean;
}

export function toResult({ structured, text, images = [], links }: Outcome): ToolResult {
  const status = structured.status;
  const fine = status === undefined || status === "completed" || status === "running";
  return { structured, text, images, isError: !fine, ...(links && { links }) };
}
