// A tool is data: what a model reads about it, what it takes, what it gives, how people see it, and the function behind it.
import type { z } from "zod";
import type { OutputChunk, RunOptions, RunResult, Sandbox } from "#sandbox/index.ts";
import type { FollowedView } from "./agent-view.ts";
import type { ArtifactsForTools } from "./artifact-view.ts";
import type { ExecutionView } from "./execution-view.ts";
import type { Presentation } from "./presentation.ts";

export interface Tool<Input = unknown> {
  name: string;
  title: string;
  description: string;
  input: z.ZodType<Input>;
  output: z.ZodType;
  annotations: Annotations;
  /** Runs code or changes the workspace, so every call is on record; pure reads are only counted. */
  recorded: boolean;
  /** Runs a program of the caller's: when too many run already, it waits in the queue for a place. */
  needsPlace?: true;
  /** Cove's own agent doesn't get it: an agent never starts another one. */
  startsAgent?: true;
  /** For people, in the chat and in the history. */
  presentation: Presentation;
  /** What a script outside would have to do to do the same; none if it can't. */
  steps?(input: Input, executionId: string): Step[];
  run(input: Input, context: ToolContext): Promise<Outcome>;
}

/** What a call does, in the few shapes that a script outside can repeat. Paths are those of the sandbox. */
export type Step =
  | { kind: "python"; code: string }
  | { kind: "bash"; command: string; cwd?: string }
  | { kind: "file"; path: string; content: string; append: boolean }
  /** A Python file, in a fresh interpreter. */
  | { kind: "program"; path: string }
  | { kind: "packages"; packages: string[] };

/** Hints for clients, as MCP defines them. */
export interface Annotations {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  openWorldHint: boolean;
}

/** What a call may use. All of it belongs to the caller: a tool never sees a user id. */
export interface ToolContext {
  sandbox: Sandbox;
  /** How a program is run: under the call's id, kept until it is on record, with the caller's patience and ear. */
  run: Pick<RunOptions, "executionId" | "keep" | "signal" | "onOutput" | "onBegin" | "waitMs">;
  executionId: string;
  signal?: AbortSignal;
  onOutput?: (chunk: OutputChunk) => void | Promise<void>;
  /** A run that takes longer than this goes on without the caller, who is told how to find it again. */
  waitMs?: number;
  limits: UserLimits;
  /** What the sandbox is doing, and whether its disk is limited hard or by a watchdog. */
  status(): Promise<{ state: string; quota: "hard" | "soft" }>;
  executions: {
    check(id: string, waitMs: number): Promise<FollowedView>;
    stop(id: string): Promise<FollowedView>;
  };
  artifacts: ArtifactsForTools;
  /** Those that are on. */
  skills: {
    list(): Promise<SkillSummary[]>;
    read(name: string, path?: string): Promise<SkillSummary & { content: string }>;
  };
  agent: AgentForTools;
}

/** What a user's sandbox may use. */
export interface UserLimits {
  timeoutSeconds: number;
  maxTimeoutSeconds: number;
  memoryBytes: number;
  cpus: number;
  diskBytes: number;
  processes: number;
  /** Calls that run at the same time; further ones wait in the queue. */
  concurrency: number;
  callsPerMinute: number;
  network: "off" | "packages" | "open";
  /** `host` or `host:port` that the operator allowed besides. */
  allowedHosts: readonly string[];
}

/** Cove's own agent, for a tool that hands it a task. */
export interface AgentForTools {
  run(task: {
    task: string;
    model?: string;
    signal: AbortSignal;
    onText: (text: string) => void | Promise<void>;
  }): Promise<AgentAnswer>;
}

export interface AgentAnswer {
  status: "completed" | "failed" | "cancelled";
  answer: string;
  /** Why it didn't end well. */
  problem?: string;
  model: string;
  steps: number;
  inputTokens: number;
  outputTokens: number;
  artifacts: ExecutionView["artifacts"];
}

export interface SkillSummary {
  name: string;
  description: string;
  version: string | null;
  dependencies: string[];
  source: "built-in" | "own";
  /** The file in the sandbox. */
  path: string;
}

export interface ResourceLink {
  uri: string;
  name: string;
  mime: string;
  size: number;
}

export interface Outcome {
  structured: Record<string, unknown>;
  /** The same for reading. */
  text: string;
  /** Pictures, for clients that can show them. */
  images?: { mime: string; data: Buffer }[];
  /** Things to read by their address, for clients that can. */
  links?: ResourceLink[];
  /** When a program ran: exactly what it did. */
  execution?: RunResult;
  /** When no program ran but files were written: their paths, as the caller gave them. */
  changed?: string[];
  /** When none ran, how it ended, if not simply well. */
  ending?: Ending;
  /** It goes on without its caller. */
  goesOn?: { end: Promise<Outcome>; stop(): void };
}

interface Ending {
  status: ExecutionView["status"];
  stdout?: Buffer;
  stderr?: Buffer;
}

/** The call can't be done as asked. The message is for the model, which can do better next time. */
export class ToolProblem extends Error {
  override name = "ToolProblem";
}

/** Keeps the input's type between schema and function, and forgets it for the list. */
export function defineTool<Input>(tool: Tool<Input>): Tool {
  return tool as Tool;
}
