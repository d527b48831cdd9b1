import { deleteRuns as deleteRows } from "#db/queries/history.ts";
import { AppError } from "../app-error.ts";
import { sweepThese } from "../blobs/sweep-blobs.ts";
import { db } from "../database.ts";

/** For good. What still runs has to be stopped first. */
export async function deleteRuns(userId: string, ids: string[]): Promise<number> {
  const deleted = await deleteRows(db(), userId, ids);
  if (deleted.length === 0)
    throw new AppError("not_found", "There is nothing to delete: unknown, or still running.");
  await sweepThese(deleted.flatMap(({ blob }) => blob ?? []));
  return deleted.length;
}
