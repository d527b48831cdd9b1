// Copies of files as they are now, into the blob store. The workspace is hostile: a file may grow, vanish or turn into
// something else at any moment, and none of that is an error.
import { finished } from "node:stream/promises";
import { isSandboxError, type Sandbox } from "#sandbox/index.ts";
import { BlobTooLarge, type PutBlob } from "./blob-store.ts";
import { blobs } from "./blobs.ts";
import type { ArtifactLimits } from "./limits.ts";

export interface Snapshot {
  path: string;
  blob: PutBlob;
}

export interface Snapshots {
  taken: Snapshot[];
  /** What was left out, by reason. */
  skipped: Record<"file" | "count" | "run" | "slow", string[]>;
}

/** In the order given, as far as the limits allow. */
export async function takeSnapshots(
  files: Pick<Sandbox["files"], "openRead">,
  paths: string[],
  limits: ArtifactLimits,
): Promise<Snapshots> {
  const signal = AbortSignal.timeout(limits.patienceMs);
  const taken: Snapshot[] = [];
  const skipped: Snapshots["skipped"] = { file: [], count: [], run: [], slow: [] };
  let left = limits.runBytes;
  for (const path of paths) {
    if (taken.length >= limits.runFiles) skipped.count.push(path);
    else if (signal.aborted) skipped.slow.push(path);
    else {
      const blob = await copy(files, path, Math.min(left, limits.fileBytes), signal).catch((error) => {
        if (signal.aborted) return "slow" as const;
        for (const { blob: whole } of taken) whole.release();
        throw error;
      });
      if (blob === "slow") skipped.slow.push(path);
      else if (blob === "large") skipped[left < limits.fileBytes ? "run" : "file"].push(path);
      else if (blob) {
        left -= blob.size;
        taken.push({ path, blob });
      }
    }
  }
  return { taken, skipped };
}

/** Nothing if there is no such regular file any more. */
async function copy(
  files: Pick<Sandbox["files"], "openRead">,
  path: string,
  maxBytes: number,
  signal: AbortSignal,
): Promise<PutBlob | "large" | undefined> {
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
    if (error instanceof BlobTooLarge) return "large";
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
