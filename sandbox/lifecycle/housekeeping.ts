// Looks around every few seconds and puts to rest what nobody uses. A sandbox in which something goes on is left
// alone, and asked again on the next round.

import type { Logger } from "../logger.ts";
import type { Keeper } from "./keeper.ts";

export type HousekeepingOptions = {
  /** Idle time after which a sandbox is paused, and then stopped. 0 means never. */
  pauseAfterMs: number;
  stopAfterMs: number;
  /** A result that nobody collects keeps its sandbox from being stopped for so long. */
  keepResultsMs: number;
  everyMs: number;
};

export type Housekeeping = { round: () => Promise<void>; close: () => Promise<void> };

export function housekeeping(
  options: HousekeepingOptions,
  keepers: () => Iterable<Keeper>,
  chores: (() => Promise<unknown>)[],
  log: Logger,
): Housekeeping {
  let current: Promise<void> | undefined;
  const timer = setInterval(() => void round(), options.everyMs);
  timer.unref();

  /** One round at a time: who asks during a round gets that one. */
  function round(): Promise<void> {
    current ??= look().finally(() => {
      current = undefined;
    });
    return current;
  }

  async function look(): Promise<void> {
    for (const keeper of keepers()) await guarded(() => settle(keeper, options), { sandbox: keeper.id });
    for (const chore of chores) await guarded(chore, {});
  }

  async function guarded(work: () => Promise<unknown>, details: object): Promise<void> {
    await work().catch((error) => log.warn({ ...details, error }, "Housekeeping failed and is tried again"));
  }

  return {
    round,
    async close() {
      clearInterval(timer);
      await current;
    },
  };
}

async function settle(keeper: Keeper, { pauseAfterMs, stopAfterMs }: HousekeepingOptions): Promise<void> {
  const idleMs = Date.now() - keeper.lastUsed;
  const due = (afterMs: number) => afterMs > 0 && idleMs >= afterMs;
  if (keeper.state === "unknown") await keeper.look();
  if (keeper.state !== "running" && keeper.state !== "paused") return;
  if (!due(pauseAfterMs) && !due(stopAfterMs)) return;
  // One that was adopted has no pipe yet, and only its daemon knows what it is about to lose.
  if (!keeper.connected) await keeper.wake("background");
  const restful = due(stopAfterMs) || keeper.outdated;
  if (restful && (await keeper.rest())) return;
  if (due(pauseAfterMs)) await keeper.pause();
}
