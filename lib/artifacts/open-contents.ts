// An artifact's bytes, or the sentence that says whose are lost. Rows outlive contents when a disk fails or somebody cleans up.
import type { Readable } from "node:stream";
import { AppError } from "../app-error.ts";
import { blobProblem } from "../blobs/blob-store.ts";
import { blobs } from "../blobs/blobs.ts";
import { log } from "../log.ts";

export interface Contents {
  name: string;
  version: number;
  size: number;
  sha256: Buffer;
}

/** As a stream, from `start` to `end`, both included. What was lost is said before the first byte. */
export async function openContents(
  artifact: Contents,
  range: { start?: number; end?: number } = {},
): Promise<Readable> {
  try {
    return await blobs().open(artifact.sha256, range);
  } catch (cause) {
    throw blobProblem(cause) === "lost" ? lost(artifact, cause) : cause;
  }
}

/** For whoever is told where they are rather than what they are: there, and as large as they were. */
export async function requireContents(artifact: Contents): Promise<void> {
  if (!(await blobs().has(artifact.sha256, artifact.size))) throw lost(artifact);
}

/** The sentence that says they are lost, for whoever shows everything else of the artifact. */
export async function findLoss(artifact: Contents): Promise<string | undefined> {
  try {
    (await openContents(artifact)).destroy();
    return undefined;
  } catch (error) {
    if (isLost(error)) return error.message;
    throw error;
  }
}

/** The first so many bytes in memory. */
export async function readContents(artifact: Contents, maxBytes = artifact.size): Promise<Buffer> {
  if (artifact.size === 0 || maxBytes <= 0) return Buffer.alloc(0);
  const parts: Buffer[] = [];
  const end = Math.min(artifact.size, maxBytes) - 1;
  for await (const part of await openContents(artifact, { start: 0, end })) parts.push(part);
  return Buffer.concat(parts);
}

export function isLost(error: unknown): error is AppError {
  return error instanceof AppError && error.code === "gone";
}

function lost({ name, version, sha256 }: Contents, cause?: unknown): AppError {
  log().error({ err: cause, sha256: sha256.toString("hex") }, "an artifact's contents are lost");
  return new AppError(
    "gone",
    `The contents of “${name}” (version ${version}) are lost: they are no longer on the server's disk, or damaged.`,
    { cause },
  );
}
