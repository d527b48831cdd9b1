// A thin image loses writes when the host's disk is full, so room is kept free for those that exist.

import { statfs } from "node:fs/promises";

export async function freeBytes(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory);
  return bavail * bsize;
}
