// Each user's history has so much room (COVE_HISTORY_SIZE). What is too much goes when a run ends, before it is answered; and
// once an hour for everybody, for what an operator made smaller or a server that died left.
import { listLargeHistories, makeRoom } from "#db/queries/history-size.ts";
import { env } from "#env.ts";
import { sweepThese } from "../blobs/sweep-blobs.ts";
import { db } from "../database.ts";
import { log } from "../log.ts";
import { perProcess } from "../per-process.ts";

const EVERY_MS = 3_600_000;

const making = perProcess<Map<string, Promise<void>>>("history-room");

/** Runs that end together wait for one and the same. */
export function makeHistoryRoom(userId: string, mostBytes = env().COVE_HISTORY_SIZE): Promise<void> {
  const all = making.get(() => new Map());
  const known = all.get(userId);
  if (known) return known;
  const made = removeUntil(userId, mostBytes).finally(() => all.delete(userId));
  all.set(userId, made);
  return made;
}

/** Now and then every hour. */
export function keepHistoryRoom(): void {
  const keep = async () => {
    try {
      for (const userId of await listLargeHistories(db(), env().COVE_HISTORY_SIZE))
        await makeHistoryRoom(userId);
    } catch (err) {
      log().warn({ err }, "histories could not be looked at, the next hour tries again");
    }
  };
  void keep();
  setInterval(keep, EVERY_MS).unref();
}

async function removeUntil(userId: string, mostBytes: number): Promise<void> {
  for (;;) {
    const removed = await makeRoom(db(), userId, mostBytes);
    if (!removed) return;
    await sweepThese(removed.blobs);
  }
}
