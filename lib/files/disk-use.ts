import { env } from "#env.ts";
import { sandboxes } from "../sandboxes/sandboxes.ts";
import { reachFiles } from "./reach-files.ts";

export interface DiskUse {
  usedBytes: number;
  totalBytes: number;
  /** A hard quota is a disk of its own; a soft one is counted. */
  quota: "hard" | "soft";
}

export function diskUse(userId: string): Promise<DiskUse> {
  return reachFiles(userId, async (sandbox) => {
    const { kind } = (await sandboxes()).quota;
    const disk = kind === "hard" ? (await sandbox.info()).disk : null;
    return disk
      ? { usedBytes: disk.totalBytes - disk.freeBytes, totalBytes: disk.totalBytes, quota: "hard" }
      : { usedBytes: await sandbox.files.usage(), totalBytes: env().COVE_SANDBOX_DISK, quota: "soft" };
  });
}
