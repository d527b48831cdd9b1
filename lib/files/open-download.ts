import type { Readable } from "node:stream";
import { env } from "#env.ts";
import { AppError } from "../app-error.ts";
import { reachFiles } from "./reach-files.ts";
import { absolutePath } from "./workspace-path.ts";

export interface Part {
  offset: number;
  length: number;
}

/**
 * A regular file, or the part of it that `choose` picks once the size is known, as a stream of exactly that many bytes
 * even if the file grows meanwhile. Destroy the stream if it isn't read to its end.
 */
export function openDownload(
  userId: string,
  path: string,
  choose: (size: number) => Part | undefined | null,
): Promise<{ size: number; part: Part | undefined | null; stream?: Readable }> {
  return reachFiles(userId, async ({ files }) => {
    const { size } = await files.stat(absolutePath(path));
    if (isHollow(size)) {
      throw new AppError(
        "too_large",
        "This file claims to be larger than the whole workspace, so most of it is holes. It can't be downloaded.",
      );
    }
    const part = choose(size);
    if (part === null) return { size, part };
    const { stream } = await files.openRead(absolutePath(path), part ?? { offset: 0, length: size });
    return { size, part, stream };
  });
}

/** A sparse file can claim any size; what is larger than the disk it is on is mostly zeros that nobody wrote. */
export function isHollow(size: number): boolean {
  return size > env().COVE_SANDBOX_DISK;
}
