import type { Readable } from "node:stream";
import yazl from "yazl";
import { type ArtifactContent, findArtifacts } from "#db/queries/artifacts.ts";
import { AppError } from "../app-error.ts";
import { db } from "../database.ts";
import { blobs } from "./blobs.ts";
import { noSuchArtifact } from "./links.ts";
import { MOST_ZIPPED } from "./most-zipped.ts";

// Already packed; trying again costs time and gains nothing.
const PACKED = new Set(["image", "audio", "video", "archive"]);

/** A zip of these, made as it is read. Files keep their place below /workspace. */
export async function zipArtifacts(userId: string, ids: string[]): Promise<Readable> {
  if (ids.length > MOST_ZIPPED)
    throw new AppError("too_large", `A zip takes up to ${MOST_ZIPPED} artifacts at once.`);
  const found = await findArtifacts(db(), userId, ids);
  if (found.length === 0) throw noSuchArtifact();
  const zip = new yazl.ZipFile();
  const output = zip.outputStream as Readable;
  // A blob that can't be read ends the download, rather than the server.
  zip.on("error", (error) => output.destroy(error));
  const taken = new Set<string>();
  for (const artifact of found) {
    const options = { mtime: artifact.createdAt, size: artifact.size, compress: !PACKED.has(artifact.kind) };
    zip.addReadStreamLazy(freeName(artifact, taken), options, (done) =>
      done(null, blobs().read(artifact.sha256)),
    );
  }
  zip.end();
  return output;
}

/** A relative name without `..`, and no two the same. */
function freeName({ path, name, version }: ArtifactContent, taken: Set<string>): string {
  const parts = path.replace(/^\/workspace\//, "").split(/[/\\]/);
  const place = parts.filter((part) => part && part !== "." && part !== "..").join("/") || name;
  let free = place;
  for (let n = 2; taken.has(free.toLowerCase()); n++)
    free = place.replace(
      /(\.[^./]*)?$/,
      (extension) => ` (${n === 2 ? `version ${version}` : n})${extension}`,
    );
  taken.add(free.toLowerCase());
  return free;
}
