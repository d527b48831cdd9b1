import { findArtifact } from "#db/queries/artifacts.ts";
import { AppError } from "../app-error.ts";
import { db } from "../database.ts";
import { noSuchArtifact } from "./links.ts";
import { readContents } from "./open-contents.ts";

/** What a page brings along. */
export const MOST_TEXT_BYTES = 1024 * 1024;

/** The contents as text, the first so many bytes of them. Bytes that aren't UTF-8 are replaced. */
export async function readArtifactText(
  userId: string,
  id: string,
  maxBytes = MOST_TEXT_BYTES,
): Promise<{ text: string; truncated: boolean }> {
  const artifact = await findArtifact(db(), userId, id);
  if (!artifact) throw noSuchArtifact();
  const bytes = await readContents(artifact, maxBytes);
  const truncated = bytes.length < artifact.size;
  // A character that was cut in two is left out rather than shown broken.
  return { text: new TextDecoder().decode(bytes, { stream: truncated }), truncated };
}

/** All of it in memory, for whoever can't take a stream. */
export async function readWhole(
  userId: string,
  id: string,
  maxBytes: number,
): Promise<{ mime: string; kind: string; bytes: Buffer }> {
  const artifact = await findArtifact(db(), userId, id);
  if (!artifact) throw noSuchArtifact();
  if (artifact.size > maxBytes) {
    const megabytes = Math.floor(maxBytes / 2 ** 20);
    throw new AppError("too_large", `It is larger than ${megabytes} MB. get_artifact has an address for it.`);
  }
  return { mime: artifact.mime, kind: artifact.kind, bytes: await readContents(artifact) };
}
