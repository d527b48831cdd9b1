// After a crash nothing stays `running`: each run becomes what its sandbox remembers, or interrupted.
import { setTimeout as sleep } from "node:timers/promises";
import { listUnfinishedExecutions } from "#db/queries/executions.ts";
import { db } from "../database.ts";
import { log } from "../log.ts";
import { keepFollowing } from "./follow.ts";
import { findLive } from "./live-calls.ts";

const RETRY_MS = 1_000;

/** Settles what an earlier server left, as soon as database and engine allow. Resolves when all of it is in hand. */
export async function reconcileExecutions(): Promise<void> {
  for (const { id, userId } of await unfinished()) {
    if (!findLive(userId, id)) void keepFollowing(userId, id);
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
