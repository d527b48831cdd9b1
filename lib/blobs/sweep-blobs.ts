// Contents nobody refers to any more are removed: at once when artifacts or runs are deleted, and by a look at all of them now and
// then, for what went with a user or a crash.
import { isBackupRunning } from "#db/backup/backup-lock.ts";
import { referencedBlobs } from "#db/queries/artifact-changes.ts";
import { db } from "../database.ts";
import { log } from "../log.ts";
import { blobs } from "./blobs.ts";

const EVERY_MS = 3600_000;

/** Whether it was removed. */
export function sweepBlob(sha256: Buffer): Promise<boolean> {
  const isReferenced = async () => (await referencedBlobs(db(), [sha256])).length > 0;
  // In this order: a backup that begins after the first look doesn't see the row that is gone, either.
  return blobs().sweep(sha256, async () => (await isReferenced()) || isBackupRunning(db()));
}

/** What is deleted just now. The periodic sweep takes whatever fails here. */
export async function sweepThese(hashes: Buffer[]): Promise<void> {
  for (const sha256 of new Map(hashes.map((one) => [one.toString("hex"), one])).values())
    await sweepBlob(sha256).catch((err) => log().warn({ err }, "a blob is swept later"));
}

export async function sweepBlobs(): Promise<number> {
  let swept = 0;
  for await (const some of blobs().list()) {
    const needed = new Set((await referencedBlobs(db(), some)).map((sha256) => sha256.toString("hex")));
    for (const sha256 of some) {
      // Asked again for each that seems unneeded, with nobody putting it meanwhile.
      if (!needed.has(sha256.toString("hex")) && (await sweepBlob(sha256))) swept++;
    }
  }
  return swept;
}

/** Once now and then every hour. Call it before anything is put: what a dead server left half written goes first. */
export async function keepBlobsSwept(): Promise<void> {
  await blobs().clearIncoming();
  const sweep = async () => {
    try {
      const swept = await sweepBlobs();
      if (swept > 0) log().info({ swept }, "unreferenced blobs were swept");
    } catch (err) {
      log().warn({ err }, "blobs could not be swept, the next hour tries again");
    }
  };
  void sweep();
  setInterval(sweep, EVERY_MS).unref();
}
