// Watches workspaces that have no hard quota. One that is too large takes no more uploads, and one that goes on
// growing has its processes ended. Commands stay allowed: they are how a user makes room.

import type { Workspaces } from "../engine/engine.ts";
import { SandboxError } from "../errors.ts";
import type { Logger } from "../logger.ts";
import type { Keeper } from "./keeper.ts";

/** How far past the quota a workspace may grow before its processes are ended. */
const TOLERANCE = 1.1;

export function softQuota(workspaces: Pick<Workspaces, "quotaOf">, limitBytes: number, log: Logger) {
  const sizes = new Map<string, { at: number; bytes: number }>();

  async function watch(keepers: Iterable<Keeper>): Promise<void> {
    for (const keeper of keepers) {
      const usedSince = keeper.lastUsed > (sizes.get(keeper.id)?.at ?? 0);
      if (!usedSince || (await workspaces.quotaOf(keeper.id)) === "hard") continue;
      if ((await measure(keeper)) <= limitBytes * TOLERANCE) continue;
      log.warn(
        { sandbox: keeper.id, bytes: sizes.get(keeper.id)?.bytes },
        "A workspace outgrew its soft quota",
      );
      await keeper.peek((pipe) => pipe.killAll());
    }
  }

  /** The last known size stands while the sandbox sleeps. */
  async function measure(keeper: Keeper): Promise<number> {
    const usage = await keeper.peek((pipe) => pipe.diskUsage());
    if (usage) sizes.set(keeper.id, { at: Date.now(), bytes: usage.bytes });
    return sizes.get(keeper.id)?.bytes ?? 0;
  }

  /** Throws when the workspace was found too large, and still is. */
  async function requireRoom(keeper: Keeper): Promise<void> {
    const bytes = sizes.get(keeper.id)?.bytes ?? 0;
    if (bytes <= limitBytes || (await measure(keeper)) <= limitBytes) return;
    const megabytes = Math.round(limitBytes / 2 ** 20);
    throw new SandboxError(
      "no_space",
      `The workspace holds more than its ${megabytes} MB: delete something first.`,
    );
  }

  return { watch, requireRoom, forget: (id: string) => sizes.delete(id) };
}
