// Gives back to the host what was deleted in a disk image. It is mounted without `discard`, which would make every deletion
// wait; instead the free blocks are punched out of the image's file when its sandbox rests.

import { stat, statfs } from "node:fs/promises";
import { hostCommand } from "./host-command.ts";
import { mountTable } from "./mounts.ts";

/** Less than this isn't worth a look at every block. */
const WORTHWHILE_BYTES = 16 * 2 ** 20;
const MOST_MS = 15_000;

export function imageTrims(image: (id: string) => string, mountPoint: (id: string) => string) {
  const running = new Map<string, { stop: AbortController; end: Promise<void> }>();
  /** What the last trim couldn't give back: the file system's own. */
  const unreturned = new Map<string, number>();
  /** The most that an image held before it was trimmed, as long as it is mounted. */
  const most = new Map<string, number>();

  /**
   * If it is mounted and worth it: two looks when there is nothing to give back; one that takes too long is given up. It counts
   * as under way from the call on, so that whoever detaches the disk next finds it to end.
   */
  function trim(id: string): Promise<void> {
    const current = running.get(id);
    if (current) return current.end;
    const stop = new AbortController();
    const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(MOST_MS)]);
    const end = give(id, signal)
      // Whoever wants the disk goes first; the rest is given back the next time.
      .catch((error) => {
        if (!stop.signal.aborted) throw error;
      })
      .finally(() => running.delete(id));
    running.set(id, { stop, end });
    return end;
  }

  async function give(id: string, signal: AbortSignal): Promise<void> {
    if (!(await mountTable()).has(mountPoint(id))) return;
    const before = await allocated(id);
    const used = await usedIn(mountPoint(id));
    if (before - used < (unreturned.get(id) ?? 0) + WORTHWHILE_BYTES) return;
    most.set(id, Math.max(before, most.get(id) ?? 0));
    try {
      // What was deleted a moment ago counts as free once the journal says so.
      await hostCommand("sync", ["-f", mountPoint(id)], { signal, env: { LC_ALL: "C" } });
      await hostCommand("fstrim", [mountPoint(id)], { signal, env: { LC_ALL: "C" } });
    } finally {
      unreturned.set(id, Math.max(0, (await allocated(id)) - (await usedIn(mountPoint(id)))));
    }
  }

  /** Ends a trim that is under way, and forgets what belongs to the mount. */
  async function end(id: string): Promise<void> {
    const current = running.get(id);
    current?.stop.abort();
    // Its failure is told to whoever asked for it.
    await current?.end.catch(() => undefined);
    most.delete(id);
    unreturned.delete(id);
  }

  /** Bytes that mounted images gave back and may want again at any moment, without asking anybody. */
  async function owed(): Promise<number> {
    const each = [...most].map(async ([id, bytes]) =>
      Math.max(0, bytes - (await allocated(id).catch(() => bytes))),
    );
    return (await Promise.all(each)).reduce((sum, bytes) => sum + bytes, 0);
  }

  async function allocated(id: string): Promise<number> {
    return (await stat(image(id))).blocks * 512;
  }

  return { trim, end, owed };
}

async function usedIn(directory: string): Promise<number> {
  const { blocks, bfree, bsize } = await statfs(directory);
  return (blocks - bfree) * bsize;
}
