// Many users at once, each of whom waits for an answer, thinks for a moment and goes on.
import { setTimeout as sleep } from "node:timers/promises";
import { type Spread, spread } from "../measure.ts";
import { CALLS, drawKind, KINDS, type Kind } from "./profile.ts";
import type { LoadUser } from "./users.ts";

export interface CrowdReport {
  calls: number;
  callsPerSecond: number;
  ms: Spread;
  byKind: Partial<Record<Kind, Spread>>;
  errors: number;
  /** A few of them, in words. */
  wrong: string[];
}

/** `pauseMs` is the average; pauses are spread evenly up to twice that, so that nobody marches in step. */
export async function crowd(
  users: LoadUser[],
  { seconds, pauseMs }: { seconds: number; pauseMs: number },
): Promise<CrowdReport> {
  const times = Object.fromEntries(KINDS.map((kind) => [kind, []])) as unknown as Record<Kind, number[]>;
  const wrong: string[] = [];
  const started = performance.now();
  const end = started + seconds * 1000;
  const pause = () => sleep(Math.min(Math.random() * 2 * pauseMs, Math.max(0, end - performance.now())));
  await Promise.all(
    users.map(async (user) => {
      await pause();
      while (performance.now() < end) {
        const kind = drawKind(user);
        const began = performance.now();
        try {
          await CALLS[kind](user);
          times[kind].push(performance.now() - began);
        } catch (error) {
          wrong.push(`${kind}: ${error instanceof Error ? error.message : error}`);
        }
        await pause();
      }
    }),
  );
  const all = Object.values(times).flat();
  return {
    calls: all.length,
    callsPerSecond: (all.length / (performance.now() - started)) * 1000,
    ms: spread(all),
    byKind: Object.fromEntries(
      KINDS.filter((kind) => times[kind].length > 0).map((kind) => [kind, spread(times[kind])]),
    ),
    errors: wrong.length,
    wrong: wrong.slice(0, 10),
  };
}

export function describeCrowd({ calls, callsPerSecond, ms, byKind, errors, wrong }: CrowdReport): string {
  const line = (name: string, { samples, median, p95, p99 }: Spread) =>
    `${name.padEnd(9)} ${String(samples).padStart(6)} calls   p50 ${whole(median)}  p95 ${whole(p95)}  p99 ${whole(p99)}`;
  return [
    ...Object.entries(byKind).map(([kind, one]) => line(kind, one)),
    `${line("all", { ...ms, samples: calls })}   ${callsPerSecond.toFixed(0)} calls/s, ${errors} errors`,
    ...wrong.map((text) => `  ${text}`),
  ].join("\n");
}

function whole(ms: number): string {
  return `${ms.toFixed(0).padStart(5)} ms`;
}
