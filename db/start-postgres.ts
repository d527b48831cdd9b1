// The start of a cluster's server, also after the one before was killed and left its children behind.
import { readFile, rename, stat } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { killOrphans, orphansOf } from "./orphaned-postgres.ts";
import type { Place } from "./postgres-place.ts";
import { runPostgresProgram } from "./postgres-program.ts";

// The children of a server that was killed end by themselves, unless they are in the middle of a long query.
const ORPHANS_PATIENCE_MS = 3_000;
const START_PATIENCE_MS = 15_000;

/** Of the log before it; one such is kept. */
const MOST_LOG_BYTES = 8 * 2 ** 20;

export async function startPostgres(place: Place): Promise<void> {
  const log = path.join(place.directory, "postgres.log");
  if ((await sizeOf(log)) > MOST_LOG_BYTES) await rename(log, `${log}.1`);
  const orphans = await orphansOf(place.data);
  const begun = Date.now();
  for (;;) {
    const before = await sizeOf(log);
    try {
      return await runPostgresProgram(place, "pg_ctl", [
        ...["start", "-D", place.data, "-l", log],
        ...["-w", "-t", "60", "-s"],
      ]);
    } catch (cause) {
      const reason = reasonIn(await readFrom(log, before), cause);
      const waited = Date.now() - begun;
      if (!/shared memory block .* still in use/.test(reason) || waited > START_PATIENCE_MS) {
        throw new Error(`The embedded Postgres did not start: ${reason} (its log is ${log})`, { cause });
      }
      if (waited > ORPHANS_PATIENCE_MS) await killOrphans(orphans);
      await sleep(200);
    }
  }
}

/** What the server gave as the reason, in one line. */
function reasonIn(said: string, cause: unknown): string {
  const lines = said.trim().split("\n");
  const fatal = lines.findLast((text) => /\b(FATAL|PANIC): /.test(text)) ?? lines.findLast(Boolean);
  const reason = fatal ?? (cause instanceof Error ? cause.message : String(cause));
  return reason.replace(/^.*?\b(?=(FATAL|PANIC): )/, "").replaceAll(/\s+/g, " ");
}

async function sizeOf(file: string): Promise<number> {
  return stat(file).then(
    ({ size }) => size,
    () => 0,
  );
}

async function readFrom(file: string, offset: number): Promise<string> {
  const content = await readFile(file).catch(() => Buffer.alloc(0));
  return content.subarray(offset).toString();
}
