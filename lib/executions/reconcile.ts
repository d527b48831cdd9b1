// After a crash nothing stays `running`: each run becomes what its sandbox remembers, or interrupted.
import { setTimeout as sleep } from "node:timers/promises";
import { listUnfinishedExecutions } from "#db/queries/executions.ts";
import { db } from "../database.ts";
import { log } from "../log.ts";
import { keepFollowing } from "./follow.ts";
import { findLive } from "./live-calls.ts";
import { spooledExecutions, writeSpooledEnds } from "./write-spooled-ends.ts";

const RETRY_MS = 1_000;

/** Settles what an earlier server left, as soon as database and engine allow. Resolves when all of it is in hand. */
export async function reconcileExecutions(): Promise<void> {
  // An end that an earlier server could only put on disk is better than whatever could be found out now.
  await writeSpooledEnds();
  const spooled = new Set(await spooledExecutions());
  for (const { id, userId } of await unfinished()) {
    if (!findLive(userId, id) && !spooled.has(id)) void keepFollowing(userId, id);
  }
}

async function unfinished(): ReturnType<typeof listUnfinishedExecutions> {
  for (;;) {
    try {
      return await listUnfinishedExecutions(db());
    } catch (err) {
      log().warn({ err }, "unfinished runs are looked for once the database is back");
      await sleep(RETRY_MS, undefined, { ref: false });
    }
  }
}
