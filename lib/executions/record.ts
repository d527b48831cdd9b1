// Writing down how a run ended, whatever happens to the database meanwhile.
import { setTimeout as sleep } from "node:timers/promises";
import { type FinishedExecution, finishExecution } from "#db/queries/executions.ts";
import type { Sandbox } from "#sandbox/index.ts";
import { db } from "../database.ts";
import { log } from "../log.ts";
import { collectLater } from "./collect.ts";

const RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 30_000;

/**
 * Resolves at the first try or leaves the rest to the background: whoever ran the code gets the result either way. If this
 * process ends first, the sandbox still remembers the run and the next server records it. Only what is on record is
 * forgotten by the sandbox.
 */
export async function recordEnd(id: string, end: FinishedExecution, sandbox?: Sandbox): Promise<void> {
  try {
    await finishExecution(db(), id, end);
    if (sandbox) collectLater(sandbox, id);
  } catch (err) {
    log().warn({ err, executionId: id }, "a finished run is recorded once the database is back");
    void recordLater(id, end, sandbox);
  }
}

async function recordLater(id: string, end: FinishedExecution, sandbox?: Sandbox): Promise<void> {
  for (let wait = RETRY_MS; ; wait = Math.min(LONGEST_RETRY_MS, wait * 1.5)) {
    await sleep(wait, undefined, { ref: false });
    try {
      await finishExecution(db(), id, end);
      if (sandbox) collectLater(sandbox, id);
      return;
    } catch (err) {
      log().debug({ err, executionId: id }, "the database is still away");
    }
  }
}
