import { once } from "node:events";
import type { Readable } from "node:stream";
import yazl from "yazl";
import { type ArtifactContent, findArtifacts } from "#db/queries/artifacts.ts";
import { AppError } from "../app-error.ts";
import { db } from "../database.ts";
import { noSuchArtifact } from "./links.ts";
import { MOST_ZIPPED } from "./most-zipped.ts";
import { isLost, openContents } from "./open-contents.ts";

// Already packed; trying again costs time and gains nothing.
const PACKED = new Set(["image", "audio", "video", "archive"]);

// Names what is missing, as it does in a zip of the workspace.
const NOTE = "LEFT-OUT.txt";

/** A zip of these, made as it is read. Files keep their place below /workspace; one whose contents are lost is named instead. */
export async function zipArtifacts(userId: string, ids: string[]): Promise<Readable> {
  if (ids.length > MOST_ZIPPED)
    throw new AppError("too_large", `A zip takes up to ${MOST_ZIPPED} artifacts at once.`);
  const artifacts = await findArtifacts(db(), userId, ids);
  if (artifacts.length === 0) throw noSuchArtifact();
  const zip = new yazl.ZipFile();
  const output = zip.outputStream as Readable;
  // A disk that fails in the middle ends the download, rather than the server.
  zip.on("error", (error) => output.destroy(error));
  addAll(zip, artifacts, output).catch((error) => output.destroy(error));
  return output;
}

/** One after the other: each is opened, and found to be whole, when the one before is through. */
async function addAll(zip: yazl.ZipFile, artifacts: ArtifactContent[], output: Readable): Promise<void> {
  const taken = new Set([NOTE.toLowerCase()]);
  const leftOut: string[] = [];
  let contents: Readable | undefined;
  output.once("close", () => contents?.destroy());
  for (const artifact of artifacts) {
    if (output.destroyed) return;
    const name = freeName(artifact, taken);
    contents = await openContents(artifact).catch((error) => {
      if (!isLost(error)) throw error;
      leftOut.push(`${name}: ${error.message}`);
      return undefined;
    });
    if (!contents) continue;
    const options = { mtime: artifact.createdAt, size: artifact.size, compress: !PACKED.has(artifact.kind) };
    const closed = once(contents, "close");
    zip.addReadStream(contents, name, options);
    await closed;
  }
  if (leftOut.length > 0) zip.addBuffer(Buffer.from(`${leftOut.join("\n")}\n`), NOTE);
  zip.end();
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
