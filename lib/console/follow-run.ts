// A run that was started earlier, from its beginning: what it printed, what it prints now, how it ended.
import { setTimeout as sleep } from "node:timers/promises";
import { findCellRun } from "#db/queries/consoles.ts";
import { pythonViewOf, readable, viewOf } from "#mcp/tools/execution-view.ts";
import { isSandboxError, type OutputChunk, type PythonResult, type RunResult } from "#sandbox/index.ts";
import { AppError } from "../app-error.ts";
import { db } from "../database.ts";
import { sandboxes } from "../sandboxes/sandboxes.ts";

const LOOK_AGAIN_MS = 300;

export async function followRun(
  userId: string,
  executionId: string,
  { onOutput, signal }: { onOutput(chunk: OutputChunk): void; signal: AbortSignal },
): Promise<Record<string, unknown>> {
  for (;;) {
    const row = await findCellRun(db(), userId, executionId);
    if (!row) throw new AppError("not_found", "This run is no longer on record.");
    if (row.finishedAt) return viewOfRow(row);
    const sandbox = await (await sandboxes()).open(userId);
    const result = await sandbox.attach(executionId, { onOutput, signal, keep: true }).catch(notThere);
    if (result) return isCell(result) ? pythonViewOf(result) : viewOf(result);
    // It waits for its turn, or has just ended and is being written down.
    await sleep(LOOK_AGAIN_MS, undefined, { signal });
  }
}

type Row = NonNullable<Awaited<ReturnType<typeof findCellRun>>>;

export function viewOfRow(row: Row): Record<string, unknown> {
  return {
    execution_id: row.id,
    status: row.status,
    exit_code: row.exitCode,
    stdout: readable(row.stdout ?? Buffer.alloc(0)),
    stderr: readable(row.stderr ?? Buffer.alloc(0)),
    truncated: row.truncated,
    duration_ms: row.durationMs ?? 0,
    artifacts: [],
    ...(row.session && { session: row.session }),
    results: listOf(row.results),
    denied_hosts: listOf(row.deniedHosts),
  };
}

function listOf(json: string | null): unknown[] {
  const value = json === null ? [] : JSON.parse(json);
  return Array.isArray(value) ? value : [];
}

function isCell(result: RunResult): result is PythonResult {
  return result.session !== undefined;
}

function notThere(error: unknown): undefined {
  if (isSandboxError(error) && error.code === "execution_not_found") return undefined;
  throw error;
}
