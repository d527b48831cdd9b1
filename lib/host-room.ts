// A full disk fails everything in the middle: the record, Postgres' own log, workspaces. So nothing new is begun on one.
import { env } from "#env.ts";
import { freeBytes } from "#sandbox/index.ts";
import { AppError } from "./app-error.ts";
import { log } from "./log.ts";
import { perProcess } from "./per-process.ts";

const MB = 2 ** 20;
/** What stays free on the host's disk, as it does for workspaces: a thin disk image loses writes when the disk is full. */
export const HOST_RESERVE_BYTES = 1024 * MB;
// What is begun can still be written to its end. Much less than the reserve: workspaces go
// on while it lasts, and only new sandboxes, uploads, artifacts and large outputs don't.
const LEAST_FREE_BYTES = 128 * MB;
const LOOK_AGAIN_MS = 1_000;

const looked = perProcess<{ at: number; free: Promise<number> }>("host-room");

/** Before anything is recorded; a look at the disk is good for a second. */
export async function requireHostRoom(): Promise<void> {
  const free = await freeNow();
  if (free >= LEAST_FREE_BYTES) return;
  const state = `${Math.floor(free / MB)} MB free`;
  throw new AppError(
    "unavailable",
    `The server's disk is almost full (${state}), so nothing new is begun: ask its operator to free space.`,
  );
}

function freeNow(): Promise<number> {
  const last = looked.peek();
  if (last && performance.now() - last.at < LOOK_AGAIN_MS) return last.free;
  const free = freeBytes(env().COVE_DATA_DIR).catch((err) => {
    log().warn({ err }, "nobody knows how full the disk is");
    return Number.POSITIVE_INFINITY;
  });
  looked.set({ at: performance.now(), free });
  return free;
}
