import { deleteArtifactRows } from "#db/queries/artifact-changes.ts";
import { db } from "../database.ts";
import { log } from "../log.ts";
import { sweepBlob } from "./sweep-blobs.ts";

/** Deletes artifacts with all their versions, or only these versions. How many rows went; foreign ids are none. */
export async function deleteArtifacts(
  userId: string,
  ids: string[],
  options: { onlyThese?: boolean } = {},
): Promise<number> {
  const gone = await deleteArtifactRows(db(), userId, ids, options);
  const hashes = new Map(gone.map(({ sha256 }) => [sha256.toString("hex"), sha256]));
  // The periodic sweep takes whatever fails here.
  for (const sha256 of hashes.values())
    await sweepBlob(sha256).catch((err) => log().warn({ err }, "a blob is swept later"));
  return gone.length;
}
