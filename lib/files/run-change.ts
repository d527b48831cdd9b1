// Changes made by hand in the web are run like a tool: on record, so that history says who changed a file, a person or code;
// limited, counted, and to be stopped like any run.
import type { Outcome } from "#mcp/tools/tool.ts";
import type { SandboxFiles } from "#sandbox/index.ts";
import { AppError } from "../app-error.ts";
import { runCall } from "../executions/run-call.ts";

export const CHANGES = [
  "upload_file",
  "save_file",
  "make_folder",
  "move_file",
  "delete_files",
  "save_skill",
  "delete_skill",
] as const;

export interface Change {
  userId: string;
  name: (typeof CHANGES)[number];
  arguments: Record<string, unknown>;
  /** Ends it. */
  signal?: AbortSignal;
}

/** What came of it, and the sentence about it for the history. */
type Changed = Pick<Outcome, "structured" | "text">;

/** Resolves to what `work` answered as structured. */
export async function runChange<T extends Changed>(
  change: Change,
  work: (files: SandboxFiles, signal: AbortSignal | undefined) => Promise<T>,
): Promise<T["structured"]> {
  const { structured } = await runCall({ ...change, door: "web" }, () => ({
    work: { recorded: true, run: (_, { sandbox, signal }) => work(sandbox.files, signal) },
    input: change.arguments,
  }));
  return structured as T["structured"];
}

/** Nothing in a workspace is replaced by accident: whoever meant to says so and tries again. */
export function nameTaken(cause?: unknown): AppError {
  return new AppError("conflict", "Something of that name is there already.", {
    cause,
    details: { reason: "exists" },
  });
}
