// Keeps a few sandboxes ready that are nobody's yet. A failure to make one is retried later and later, so that a
// missing image or a full disk costs a line in the log now and then, not a storm.

import type { Logger } from "../logger.ts";

export type WarmPoolOptions = {
  size: number;
  /** Makes one sandbox and resolves to its id. */
  make: () => Promise<string>;
  /** Lets users claim it, which can happen the moment this is called. */
  offer: (id: string) => Promise<void>;
  log: Logger;
  retryMs?: { first: number; longest: number };
  delayMs?: number;
};

export function warmPool({
  size,
  make,
  offer,
  log,
  retryMs = { first: 1000, longest: 60_000 },
  delayMs = 300,
}: WarmPoolOptions) {
  const warm = new Set<string>();
  let filling: Promise<void> | undefined;
  let later: NodeJS.Timeout | undefined;
  let failures = 0;
  let closed = false;

  /** Returns at once; the work goes on in the background, one sandbox at a time. */
  function refill(): void {
    if (closed || filling || later) return;
    filling = fill().finally(() => {
      filling = undefined;
    });
  }

  async function fill(): Promise<void> {
    try {
      while (!closed && warm.size < size) {
        await add(await make());
        failures = 0;
      }
    } catch (error) {
      const pause = Math.min(retryMs.first * 2 ** failures++, retryMs.longest);
      log.warn({ error, retryInMs: pause }, "No warm sandbox could be made");
      refillIn(pause);
    }
  }

  /** Leaves the machine to the first command of whoever just took one. */
  function refillSoon(): void {
    if (!closed && !filling && !later) refillIn(delayMs);
  }

  function refillIn(ms: number): void {
    later = setTimeout(() => {
      later = undefined;
      refill();
    }, ms);
    later.unref();
  }

  async function add(id: string): Promise<void> {
    warm.add(id);
    await offer(id);
  }

  return {
    refill,
    refillSoon,
    add,
    /** Returns whether it was here; from now on it is a user's, or on its way out. */
    take: (id: string) => warm.delete(id),
    ids: () => [...warm],
    size: () => warm.size,
    full: () => warm.size >= size,
    async close() {
      closed = true;
      clearTimeout(later);
      await filling;
    },
  };
}
