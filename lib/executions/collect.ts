// Telling a sandbox which of its results are on record, many at once. The delay is on purpose: the end of a run is
// committed without waiting for the disk (see finishExecution), and until it must have got there the sandbox remembers.
import type { Sandbox } from "#sandbox/index.ts";
import { log } from "../log.ts";

const DELAY_MS = 2_000;

const waiting = new Map<Sandbox, string[]>();

export function collectLater(sandbox: Sandbox, executionId: string): void {
  const ids = waiting.get(sandbox);
  if (ids) {
    ids.push(executionId);
    return;
  }
  waiting.set(sandbox, [executionId]);
  setTimeout(() => void collect(sandbox), DELAY_MS).unref();
}

async function collect(sandbox: Sandbox): Promise<void> {
  const ids = waiting.get(sandbox) ?? [];
  waiting.delete(sandbox);
  try {
    await sandbox.collect(...ids);
  } catch (err) {
    log().debug({ err }, "recorded runs are forgotten by their sandbox later");
  }
}
