// A run that was started earlier, from its beginning: what it printed, what it prints now, how it ended.
import { setTimeout as sleep } from "node:timers/promises";
import { findExecution } from "#db/queries/executions.ts";
import { type AnyExecutionView, anyViewOf } from "#mcp/tools/execution-view.ts";
import { isSandboxError, type OutputChunk } from "#sandbox/index.ts";
import { AppError } from "../app-error.ts";
import { db } from "../database.ts";
import { fromSandbox } from "../executions/sandbox-problem.ts";
import { viewOfRow } from "../executions/stored-execution.ts";
import { withOutput } from "../executions/stored-output.ts";
import { sandboxes } from "../sandboxes/sandboxes.ts";

const LOOK_AGAIN_MS = 300;

export async function followRun(
  userId: string,
  executionId: string,
  { onOutput, signal }: { onOutput(chunk: OutputChunk): void; signal: AbortSignal },
): Promise<AnyExecutionView> {
  for (;;) {
    const row = await findExecution(db(), userId, executionId);
    if (!row) throw new AppError("not_found", "This run is no longer on record.");
    if (row.finishedAt) return viewOfRow(await withOutput(row));
    const sandbox = await (await sandboxes()).open(userId);
    const result = await sandbox
      .attach(executionId, { onOutput, signal, keep: true })
      .catch(nothingIfUnknown);
    if (result) return recorded(userId, executionId, anyViewOf(result));
    // It waits for its turn, or has just ended and is being written down.
    await sleep(LOOK_AGAIN_MS, undefined, { signal });
  }
}

/** The record knows more than the sandbox does, such as where its pictures are; it is written a moment later. */
async function recorded(userId: string, id: string, view: AnyExecutionView): Promise<AnyExecutionView> {
  for (let tries = 0; tries < 10; tries++) {
    const row = await findExecution(db(), userId, id);
    if (row?.finishedAt) return viewOfRow(await withOutput(row));
    await sleep(50);
  }
  return view;
}

function nothingIfUnknown(error: unknown): undefined {
  if (isSandboxError(error) && error.code === "execution_not_found") return undefined;
  throw fromSandbox(error);
}
