// The two questions that the lifecycle has for a sandbox's daemon. It may lie, to its own user's harm alone.

import { setTimeout as sleep } from "node:timers/promises";
import type { Pipe } from "../pipe/connection.ts";

/**
 * Asked before a command is sent into a machine that may have died meanwhile: what was sent can't be told from
 * what was run. Whatever the answer, the pipe is open again afterwards, or down.
 */
export function answers(pipe: Pipe): Promise<boolean> {
  return pipe.request({ op: "collect", ids: [] }).then(
    () => true,
    () => false,
  );
}

export type Rest = {
  /** Whether nothing goes on in the sandbox. */
  idle: boolean;
  /** Age of the youngest result that nobody has collected; infinite if there is none. */
  resultAgeMs: number;
};

/**
 * Undefined if no answer comes, which says nothing: a busy host is slow as well. It isn't waited for, because a pipe that
 * is reconnecting may wait for the very change of state this is asked in.
 */
export async function restOf(pipe: Pick<Pipe, "info">, patienceMs = 2000): Promise<Rest | undefined> {
  const silence = sleep(patienceMs, undefined, { ref: false });
  const info = await Promise.race([pipe.info().catch(() => undefined), silence]);
  return info && { idle: info.idle, resultAgeMs: Math.min(...info.executions.map(({ ageMs }) => ageMs)) };
}
