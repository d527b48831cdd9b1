// Writing down how a run ended, whatever happens to the database meanwhile.
import { setTimeout as sleep } from "node:timers/promises";
import { type FinishedExecution, finishExecution } from "#db/queries/executions.ts";
import { resultsView } from "#mcp/tools/execution-view.ts";
import type { RunResult } from "#sandbox/index.ts";
import { db } from "../database.ts";
import { searchableOutput } from "../history/searchable.ts";
import { log } from "../log.ts";

const RETRY_MS = 1_000;

export function endOf(result: RunResult): FinishedExecution {
  return {
    status: result.status,
    exitCode: result.exitCode,
    stdout: result.stdout,
    stderr: result.stderr,
    truncated: result.truncated,
    durationMs: whole(result.durationMs),
    cpuMs: result.cpuMs === null ? null : whole(result.cpuMs),
    memoryBytes: result.memoryBytes,
    ...(result.session !== undefined && { session: result.session }),
    ...(result.deniedHosts.length > 0 && { deniedHosts: JSON.stringify(result.deniedHosts) }),
    ...(result.results?.length && { results: JSON.stringify(resultsView(result.results)) }),
    words: searchableOutput(result),
  };
}

/** The sandbox says whatever it likes; the column takes no more than this. */
function whole(ms: number): number {
  return Math.min(Math.round(ms), 2 ** 31 - 1);
}

/**
 * Resolves at the first try or leaves the rest to the background: whoever ran the code gets the result either way. If this
 * process ends first, the sandbox still remembers the run and the next server records it.
 */
export async function recordEnd(id: string, end: FinishedExecution): Promise<void> {
  try {
    await finishExecution(db(), id, end);
  } catch (err) {
    log().warn({ err, executionId: id }, "a finished run is recorded once the database is back");
    void recordLater(id, end);
  }
}

async function recordLater(id: string, end: FinishedExecution): Promise<void> {
  for (;;) {
    await sleep(RETRY_MS, undefined, { ref: false });
    try {
      return await finishExecution(db(), id, end);
    } catch (err) {
      log().debug({ err, executionId: id }, "the database is still away");
    }
  }
}
