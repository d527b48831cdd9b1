// When a workspace was last used, for retention. By the hour: nobody wants a write with every command.
import { touchSandbox } from "#db/queries/retention.ts";
import { db } from "../database.ts";
import { log } from "../log.ts";
import { perProcess } from "../per-process.ts";

const HOUR_MS = 3_600_000;
const noted = perProcess<Map<string, number>>("noted-use");

export function noteUse(userId: string, now = Date.now()): void {
  const known = noted.get(() => new Map());
  if (now - (known.get(userId) ?? 0) < HOUR_MS) return;
  known.set(userId, now);
  touchSandbox(db(), userId).catch((err) => {
    known.delete(userId);
    log().debug({ err }, "the use of a workspace was not noted");
  });
}
