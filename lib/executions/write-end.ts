import { type FinishedExecution, finishExecution } from "#db/queries/executions.ts";
import { env } from "#env.ts";
import { db } from "../database.ts";
import { log } from "../log.ts";
import { makeHistoryRoom } from "./history-room.ts";
import { storeOutput } from "./stored-output.ts";

/**
 * Into the database, once: the output first, then the row that refers to it, then room for what is too much. With `whole` it fails
 * where there is no room for the output, which is safe elsewhere until there is.
 */
export async function writeEnd(id: string, end: FinishedExecution, { whole = false } = {}): Promise<void> {
  const { stored, release } = await storeOutput(end, { whole });
  try {
    const size = await finishExecution(db(), id, stored);
    if (size && size.bytes > env().COVE_HISTORY_SIZE) {
      await makeHistoryRoom(size.userId).catch((err) =>
        log().warn(
          { err, userId: size.userId },
          "a history is larger than it may be until the next run ends",
        ),
      );
    }
  } finally {
    release();
  }
}
