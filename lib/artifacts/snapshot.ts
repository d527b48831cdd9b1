// Copies of files as they are now, into the blob store. The workspace is hostile: a file may grow, vanish or turn into
// something else at any moment, and none of that is an error.
import { finished } from "node:stream/promises";
import { isSandboxError, type Sandbox } from "#sandbox/index.ts";
import { blobProblem, type PutBlob } from "../blobs/blob-store.ts";
import { blobs } from "../blobs/blobs.ts";
import type { ArtifactLimits } from "./limits.ts";
import { LeftOut } from "./skipped.ts";

export interface Snapshot {
  path: string;
  blob: PutBlob;
}

/** In the order given, as far as the limits allow and until the signal says that it takes too long. */
export async function takeSnapshots(
  files: Pick<Sandbox["files"], "openRead">,
  paths: string[],
  limits: ArtifactLimits,
  signal: AbortSignal,
): Promise<{ taken: Snapshot[]; left: LeftOut }> {
  const taken: Snapshot[] = [];
  const left = new LeftOut();
  let room = limits.runBytes;
  for (const path of paths) {
    if (taken.length >= limits.runFiles) left.add("count", path);
    else if (signal.aborted) left.add("slow", path);
    else {
      const copied = await copy(files, path, Math.min(room, limits.fileBytes), signal).catch((error) => {
        if (signal.aborted) return "slow" as const;
        for (const { blob } of taken) blob.release();
        throw error;
      });
      if (copied === "large") left.add(room < limits.fileBytes ? "run" : "file", path);
      else if (typeof copied === "string") left.add(copied, path);
      else if (copied) {
        room -= copied.size;
        taken.push({ path, blob: copied });
      }
    }
  }
  return { taken, left };
}

/** Nothing if there is no such regular file any more. */
async function copy(
  files: Pick<Sandbox["files"], "openRead">,
  path: string,
  maxBytes: number,
  signal: AbortSignal,
): Promise<PutBlob | "large" | "disk" | undefined> {
  try {
    const { stream, size } = await files.openRead(path, { signal });
    try {
      // By its size already, without reading: it may be sparse and endless.
      if (size > maxBytes) return "large";
      return await blobs().put(stream, { maxBytes });
    } finally {
      stream.destroy();
      await finished(stream, { error: false }).catch(() => undefined);
    }
  } catch (error) {
    const problem = blobProblem(error);
    if (problem === "too_large") return "large";
    if (problem === "disk_full") return "disk";
    if (isSandboxError(error) && GONE.has(error.code)) return undefined;
    throw error;
  }
}

// Removed since, or swapped for a link, a pipe or a directory.
const GONE = new Set([
  "not_found",
  "not_a_file",
  "not_a_directory",
  "is_a_directory",
  "path_refused",
  "io_error",
]);
