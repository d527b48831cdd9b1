import { deleteArtifactRows } from "#db/queries/artifact-changes.ts";
import { sweepThese } from "../blobs/sweep-blobs.ts";
import { db } from "../database.ts";

/** Deletes artifacts with all their versions, or only these versions. How many rows went; foreign ids are none. */
export async function deleteArtifacts(
  userId: string,
  ids: string[],
  options: { onlyThese?: boolean } = {},
): Promise<number> {
  const gone = await deleteArtifactRows(db(), userId, ids, options);
  await sweepThese(gone.map(({ sha256 }) => sha256));
  return gone.length;
}
