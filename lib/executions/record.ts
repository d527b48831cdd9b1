// Writing down how a run ended, whatever happens to the database meanwhile.
import { setTimeout as sleep } from "node:timers/promises";
import { flushCommits } from "#db/client.ts";
import type { FinishedExecution } from "#db/queries/executions.ts";
import type { Sandbox } from "#sandbox/index.ts";
import { db } from "../database.ts";
import { log } from "../log.ts";
import { confirmLater } from "./confirm.ts";
import { writeEnd } from "./write-end.ts";
import { spoolEnd } from "./write-spooled-ends.ts";

const RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 30_000;

/**
 * Resolves once the end will not be lost any more, whatever is killed: it is in the database, or on disk until that is back.
 * With a sandbox it need not have reached the database's disk: until it must have, the sandbox remembers the run.
 */
export async function recordEnd(id: string, end: FinishedExecution, sandbox?: Sandbox): Promise<void> {
  try {
    await record(id, end, sandbox);
  } catch (err) {
    log().warn({ err, executionId: id }, "a finished run is recorded once the database is back");
    await spoolEnd(id, end, sandbox).catch((problem) => {
      log().error(
        { err: problem, executionId: id },
        "A finished run could not be spooled: it is lost if the server ends before the database is back.",
      );
      void recordLater(id, end, sandbox);
    });
  }
}

async function record(id: string, end: FinishedExecution, sandbox?: Sandbox): Promise<void> {
  await writeEnd(id, end);
  if (sandbox) confirmLater(id, sandbox, () => recordEnd(id, end, sandbox));
  else await flushCommits(db());
}

async function recordLater(id: string, end: FinishedExecution, sandbox?: Sandbox): Promise<void> {
  for (let wait = RETRY_MS; ; wait = Math.min(LONGEST_RETRY_MS, wait * 1.5)) {
    await sleep(wait, undefined, { ref: false });
    try {
      return await record(id, end, sandbox);
    } catch (err) {
      log().debug({ err, executionId: id }, "the database is still away");
    }
  }
}
