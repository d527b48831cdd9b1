// Timing and what is made of it. Two ways of doing a thing take turns, so that a busy machine slows both alike.

import { setTimeout as sleep } from "node:timers/promises";

const BREATH_MS = 250;

export type Spread = {
  median: number;
  p10: number;
  p90: number;
  p95: number;
  p99: number;
  samples: number;
};

export async function time(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

export function spread(values: number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return {
    median: at(0.5),
    p10: at(0.1),
    p90: at(0.9),
    p95: at(0.95),
    p99: at(0.99),
    samples: sorted.length,
  };
}

export type Contest = { ours: Spread; theirs: Spread; ratio: number };

/**
 * Milliseconds of each, in turns of `block` at a time: the engine cleans up after each of its own operations for a
 * while, which would be counted against whoever comes next, so a moment passes between blocks. Each function returns its
 * own time, so that what it prepares isn't counted.
 */
export async function contest(
  samples: number,
  ours: () => Promise<number>,
  theirs: () => Promise<number>,
  block = 1,
): Promise<Contest> {
  const times: [number[], number[]] = [[], []];
  await ours();
  await theirs();
  const turn = async (measure: () => Promise<number>, into: number[]) => {
    if (block > 1) await sleep(BREATH_MS);
    for (let round = 0; round < block; round++) into.push(await measure());
  };
  for (let done = 0; done < samples; done += block) {
    await turn(ours, times[0]);
    await turn(theirs, times[1]);
  }
  const [mine, other] = [spread(times[0]), spread(times[1])];
  return { ours: mine, theirs: other, ratio: mine.median / other.median };
}

/** Calls per second of so many callers, each of whom calls again as soon as it has its answer. */
export async function throughput(
  callers: number,
  calls: number,
  call: () => Promise<unknown>,
): Promise<number> {
  let left = calls;
  const caller = async () => {
    while (left-- > 0) await call();
  };
  const ms = await time(() => Promise.all(Array.from({ length: callers }, caller)));
  return (calls / ms) * 1000;
}
