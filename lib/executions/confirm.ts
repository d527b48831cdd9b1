// The end of a run is committed without waiting for the disk (see finishExecution), so a database that is killed may forget the
// last moments. A little later, when each end must have got there, it is looked for: what is missing is recorded again, and
// only what is there is forgotten by its sandbox.
import { listUnfinishedAmong } from "#db/queries/executions.ts";
import type { Sandbox } from "#sandbox/index.ts";
import { db } from "../database.ts";
import { log } from "../log.ts";

interface Recorded {
  at: number;
  sandbox: Sandbox;
  again: () => Promise<void>;
}

const DELAY_MS = 2_000;

const waiting = new Map<string, Recorded>();
let timer: NodeJS.Timeout | undefined;

/** `again` is what recorded it, for the case that it has to be done once more. */
export function confirmLater(id: string, sandbox: Sandbox, again: () => Promise<void>): void {
  waiting.set(id, { at: performance.now(), sandbox, again });
  waitMore();
}

/** Tells a sandbox which of its results are on record, so that it can forget them. */
export async function collect(sandbox: Sandbox, executionIds: string[]): Promise<void> {
  try {
    await sandbox.collect(...executionIds);
  } catch (err) {
    log().debug({ err }, "recorded runs are forgotten by their sandbox later");
  }
}

function waitMore(): void {
  if (timer) return;
  timer = setTimeout(() => {
    timer = undefined;
    void confirm();
  }, DELAY_MS).unref();
}

async function confirm(): Promise<void> {
  const due = [...waiting].filter(([, { at }]) => performance.now() - at >= DELAY_MS);
  try {
    const ids = due.map(([id]) => id);
    const missing = new Set(ids.length > 0 ? await listUnfinishedAmong(db(), ids) : []);
    const bySandbox = Map.groupBy(due, ([, { sandbox }]) => sandbox);
    for (const [id, { again }] of due) {
      waiting.delete(id);
      if (!missing.has(id)) continue;
      log().warn({ executionId: id }, "the database forgot the end of a run; it is recorded again");
      void again();
    }
    for (const [sandbox, entries] of bySandbox) {
      const there = entries.map(([id]) => id).filter((id) => !missing.has(id));
      if (there.length > 0) void collect(sandbox, there);
    }
  } catch (err) {
    log().debug({ err }, "recorded runs are looked for once the database is back");
  }
  if (waiting.size > 0) waitMore();
}
