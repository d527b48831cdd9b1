// What a launcher started is kept running: started again when it ends by itself, after longer and longer pauses, and given
// up with its cause when that doesn't help.
import { setTimeout as sleep } from "node:timers/promises";

export interface Supervised {
  /** Resolves when it ends, with how: the rest of a sentence that begins with its name. Rejects with a `FinalEnd`. */
  ended: Promise<string>;
  stop(): Promise<void>;
}

export interface Supervision {
  /** Rejects with the cause when it is given up; never resolves. */
  givenUp: Promise<never>;
  /** Resolves as soon as it runs. */
  running(): Promise<void>;
  /** Ends it in order. What is down at that moment is brought up first: only then can it put its things away. */
  stop(): Promise<void>;
}

/** Another start would meet the same end: it is given up at once, with this sentence. */
export class FinalEnd extends Error {
  override name = "FinalEnd";
}

interface Options<T extends Supervised> {
  /** As a sentence begins with it. */
  name: string;
  current: T;
  start: () => Promise<T>;
  say: (line: string) => void;
  /** Between one failure and the next start; when there are no more, it is given up. */
  pausesMs?: number[];
  /** Whatever has run so long is well again, and what happened before doesn't count any more. */
  steadyMs?: number;
}

const PAUSES_MS = [100, 1_000, 4_000, 16_000];
const STEADY_MS = 60_000;

export function supervise<T extends Supervised>({
  name,
  current,
  start,
  say,
  ...times
}: Options<T>): Supervision {
  const { pausesMs = PAUSES_MS, steadyMs = STEADY_MS } = times;
  const stopping = new AbortController();
  let running: Promise<T> = Promise.resolve(current);
  let failures = 0;
  const givenUp = watch();
  givenUp.catch(() => undefined);
  return {
    givenUp,
    running: () => running.then(() => undefined),
    async stop() {
      stopping.abort();
      await (await running).stop();
    },
  };

  async function watch(): Promise<never> {
    for (;;) {
      const since = performance.now();
      const how = await running.then(({ ended }) => ended);
      // Whoever stops it waits for its end as well.
      if (stopping.signal.aborted) return new Promise(() => undefined);
      if (performance.now() - since > steadyMs) failures = 0;
      say(`! ${name} ${how}. It is started again.`);
      running = startAgain(`It ${how}`);
      running.catch(() => undefined);
      await running;
    }
  }

  async function startAgain(why: string): Promise<T> {
    const begun = performance.now();
    for (let reason = why; ; ) {
      const pauseMs = pausesMs[failures++];
      if (pauseMs === undefined) {
        throw new Error(`${name} was started again ${pausesMs.length} times in vain. ${reason}`);
      }
      await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      try {
        const started = await start();
        say(`✓ ${name} runs again  ${((performance.now() - begun) / 1000).toFixed(1)} s`);
        return started;
      } catch (error) {
        if (error instanceof FinalEnd || stopping.signal.aborted) throw error;
        reason = error instanceof Error ? error.message : String(error);
        say(`! ${name} could not be started again: ${reason}`);
      }
    }
  }
}
