// How long a call stays with its execution: to its end, for a while, or only until it has begun.

import type { RunResult } from "../types.ts";
import type { Following } from "./follow-execution.ts";

/** The result, or what there is when `waitMs` are over or the signal says so; the execution goes on. */
export function endOrDetach(following: Following, waitMs?: number, signal?: AbortSignal): Promise<RunResult> {
  if (waitMs === undefined && !signal) return following.ended;
  return new Promise((resolve, reject) => {
    const detach = () => {
      following.stream.cancel();
      resolve(following.soFar());
    };
    const timer = waitMs === undefined ? undefined : setTimeout(detach, waitMs);
    signal?.addEventListener("abort", detach, { once: true });
    const settle = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", detach);
    };
    following.ended.then(resolve, reject).finally(settle);
  });
}

/** Returns once the command runs, or the cell waits for the ones before it; input, if any, goes on in the background. */
export async function inBackground(following: Following, fed: Promise<void>): Promise<RunResult> {
  // A command that can't be started says so at once.
  await Promise.race([following.started, following.ended]);
  const detach = () => following.stream.cancel();
  fed.then(detach, detach);
  return following.soFar();
}
