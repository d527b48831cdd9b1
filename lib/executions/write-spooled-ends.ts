// Ends of runs that the database was away for: on disk before anybody is answered, and in the database once it is back, each
// exactly once, also across a restart of the server.
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { flushCommits, pingDatabase } from "#db/client.ts";
import type { FinishedExecution } from "#db/queries/executions.ts";
import { reopenInterrupted } from "#db/queries/interrupted.ts";
import { env } from "#env.ts";
import type { Sandbox } from "#sandbox/index.ts";
import { db } from "../database.ts";
import { log } from "../log.ts";
import { perProcess } from "../per-process.ts";
import { collect } from "./confirm.ts";
import { Spool } from "./spool.ts";
import { UnreadableEnd } from "./spooled-end.ts";
import { writeEnd } from "./write-end.ts";

interface SpooledEnds {
  spool: Spool;
  /** Which sandboxes remember the runs until their ends are on record; those of an earlier server are not known. */
  sandboxes: Map<string, Sandbox>;
  /** Resolves once every end has been tried with a database that answers. */
  tried?: Promise<void>;
  /** There may be ends that the current pass has not seen. */
  more: boolean;
}

const RETRY_MS = 500;
const LONGEST_RETRY_MS = 5_000;
const TOGETHER = 50;

const kept = perProcess<SpooledEnds>("spooled ends");

/** Resolves once it is safe on disk. */
export async function spoolEnd(id: string, end: FinishedExecution, sandbox?: Sandbox): Promise<void> {
  const { spool, sandboxes } = spooledEnds();
  await spool.put(id, end);
  if (sandbox) sandboxes.set(id, sandbox);
  void writeSpooledEnds();
}

/** The runs whose end is still on its way; none where that can't be known. */
export function spooledExecutions(): Promise<string[]> {
  return spooledEnds()
    .spool.list()
    .catch(() => []);
}

/** Goes on until nothing is spooled any more, however long the database is away; resolves once each end has had a try. */
export function writeSpooledEnds(): Promise<void> {
  const all = spooledEnds();
  all.more = true;
  all.tried ??= new Promise((resolve) => void writeUntilDone(all, resolve));
  return all.tried;
}

function spooledEnds(): SpooledEnds {
  return kept.get(() => ({
    spool: new Spool(path.join(env().COVE_DATA_DIR, "spool")),
    sandboxes: new Map(),
    more: false,
  }));
}

async function writeUntilDone(all: SpooledEnds, onTried: () => void): Promise<void> {
  let pauseMs = RETRY_MS;
  while (all.more) {
    all.more = false;
    let left = true;
    try {
      left = (await writeAll(all)) > 0;
      onTried();
    } catch (err) {
      const away = await pingDatabase(db()).then(
        () => false,
        () => true,
      );
      // Whoever waits for them must not wait for a disk that fails.
      if (!away) onTried();
      log()[away ? "debug" : "error"]({ err }, "spooled runs could not be recorded; they are tried again");
    }
    if (!left) continue;
    all.more = true;
    await sleep(pauseMs, undefined, { ref: false });
    pauseMs = Math.min(LONGEST_RETRY_MS, pauseMs * 1.5);
  }
  all.tried = undefined;
}

/** How many could not be written although the database answers. Rejects when it doesn't. */
async function writeAll({ spool, sandboxes }: SpooledEnds): Promise<number> {
  const ids = await spool.list();
  let failed = 0;
  for (let from = 0; from < ids.length; from += TOGETHER) {
    await pingDatabase(db());
    const written: string[] = [];
    for (const id of ids.slice(from, from + TOGETHER)) {
      const outcome = await writeOne(spool, id);
      if (outcome === "written") written.push(id);
      if (outcome === "failed") failed++;
    }
    // Only what would survive a crash of the database as well is taken off the disk here.
    await flushCommits(db());
    for (const id of written) {
      await spool.remove(id);
      const sandbox = sandboxes.get(id);
      sandboxes.delete(id);
      if (sandbox) void collect(sandbox, [id]);
    }
    if (written.length > 0) log().info({ runs: written.length }, "spooled runs are on record");
  }
  return failed;
}

/**
 * One that can't be read or that the database will never take is set aside: it must not stand in the way of the others, and its
 * run must not go on for ever.
 */
async function writeOne(spool: Spool, id: string): Promise<"written" | "failed" | "set aside"> {
  try {
    const end = await spool.read(id);
    // What a server that found no trace of the run took for its end.
    if (end.status !== "interrupted") await reopenInterrupted(db(), id);
    await writeEnd(id, end, { whole: true });
    return "written";
  } catch (err) {
    if (isUnwritable(err)) {
      const file = await spool.setAside(id);
      log().error({ err, executionId: id, file }, "a spooled run is not readable; it is set aside");
      await writeEnd(id, { status: "interrupted" });
      return "set aside";
    }
    await pingDatabase(db());
    log().warn({ err, executionId: id }, "a spooled run could not be recorded; it is tried again");
    return "failed";
  }
}

/** Not what we wrote, or values that Postgres refuses (classes 22 and 23): trying again changes nothing. */
function isUnwritable(error: unknown): boolean {
  if (error instanceof UnreadableEnd) return true;
  const code = (error as { cause?: { code?: unknown } }).cause?.code;
  return typeof code === "string" && /^2[23]...$/.test(code);
}
