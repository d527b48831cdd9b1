// Whether something may have changed in the workspace. It asks the history and not the sandbox, so a page that stays open
// neither costs more than a look into an index nor keeps the sandbox from resting.
import { findPulse } from "#db/queries/history.ts";
import { db } from "../database.ts";

export interface Pulse {
  /** Differs from the last one if anything began or ended since. */
  stamp: string;
  /** Something runs now and may be changing files. */
  busy: boolean;
}

export async function pulse(userId: string): Promise<Pulse> {
  const { latest, unfinished } = await findPulse(db(), userId);
  return { stamp: `${latest ?? "never"} ${unfinished}`, busy: unfinished > 0 };
}
