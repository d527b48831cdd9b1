// Runs that outlive their call: following them to their end, looking at them, stopping them.
import { findExecution, listUnfinishedExecutions } from "#db/queries/executions.ts";
import type { ExecutionView } from "#mcp/tools/execution-view.ts";
import { readable, viewOf } from "#mcp/tools/execution-view.ts";
import { isSandboxError, type RunResult } from "#sandbox/index.ts";
import { AppError } from "../app-error.ts";
import { db } from "../database.ts";
import { log } from "../log.ts";
import { sandboxes } from "../sandboxes/sandboxes.ts";
import { noticeOwnSkills } from "../skills/own-skills.ts";
import { stopLongCall, waitForLongCall } from "./long-calls.ts";
import { endOf, recordEnd } from "./record.ts";

/** Waits for a run's end and records it. A run that nobody knows any more was interrupted. */
export async function followToEnd(userId: string, id: string): Promise<void> {
  const sandbox = await (await sandboxes()).open(userId);
  const result = await sandbox.attach(id, { keep: true }).catch(interruptedIfUnknown);
  await recordEnd(id, result ? endOf(result) : { status: "interrupted" });
  await noticeOwnSkills(userId, sandbox);
  if (result) await sandbox.collect(id);
}

/** After a crash nothing stays `running`: each run becomes what its sandbox remembers, or interrupted. */
export async function reconcileExecutions(): Promise<void> {
  const unfinished = await listUnfinishedExecutions(db());
  for (const { id, userId } of unfinished) {
    followToEnd(userId, id).catch((err) =>
      log().error({ err, executionId: id }, "a run could not be reconciled"),
    );
  }
}

/** The user's run as it is now, or as it ended; waits so long for the end. */
export async function checkExecution(userId: string, id: string, waitMs: number): Promise<ExecutionView> {
  const row = await findExecution(db(), userId, id);
  if (!row) throw new AppError("not_found", "There is no such execution.");
  if (await waitForLongCall(id, waitMs)) return viewOfRow((await findExecution(db(), userId, id)) ?? row);
  if (row.durationMs === null && (row.status === "queued" || row.status === "running")) {
    const sandbox = await (await sandboxes()).open(userId);
    const result = await sandbox.attach(id, { waitMs, keep: true }).catch(interruptedIfUnknown);
    if (result) return viewOf(result);
  }
  return viewOfRow((await findExecution(db(), userId, id)) ?? row);
}

export async function stopExecution(userId: string, id: string): Promise<ExecutionView> {
  if (!(await findExecution(db(), userId, id)))
    throw new AppError("not_found", "There is no such execution.");
  if (stopLongCall(id)) return checkExecution(userId, id, 5_000);
  const sandbox = await (await sandboxes()).open(userId);
  await sandbox.stop(id).catch(interruptedIfUnknown);
  return checkExecution(userId, id, 5_000);
}

function viewOfRow(row: NonNullable<Awaited<ReturnType<typeof findExecution>>>): ExecutionView {
  return {
    execution_id: row.id,
    status: row.status as ExecutionView["status"],
    exit_code: row.exitCode,
    stdout: readable(row.stdout ?? Buffer.alloc(0)),
    stderr: readable(row.stderr ?? Buffer.alloc(0)),
    truncated: row.truncated,
    duration_ms: row.durationMs ?? 0,
    artifacts: [],
  };
}

function interruptedIfUnknown(error: unknown): RunResult | undefined {
  if (isSandboxError(error) && error.code === "execution_not_found") return undefined;
  throw error;
}
