// The two questions that the lifecycle has for a sandbox's daemon. It may lie, to its own user's harm alone.

import { setTimeout as sleep } from "node:timers/promises";
import type { Pipe } from "../pipe/connection.ts";

/**
 * Asked before a command is sent into a container that may have died meanwhile: what was sent can't be told from
 * what was run. Whatever the answer, the pipe is open again afterwards, or down.
 */
export function answers(pipe: Pipe): Promise<boolean> {
  return pipe.request({ op: "collect", ids: [] }).then(
    () => true,
    () => false,
  );
}

export type Rest = {
  /** Nothing goes on in the sandbox. */
  idle: boolean;
  /** Age of the youngest result that nobody has collected; infinite if there is none. */
  resultAgeMs: number;
};

/** No answer means busy, and soon: a pipe that is reconnecting may wait for the very turn this is asked in. */
export async function restOf(pipe: Pipe, patienceMs = 2000): Promise<Rest> {
  const unknown = { idle: false, executions: [] };
  const silence = sleep(patienceMs, unknown, { ref: false });
  const { idle, executions } = await Promise.race([pipe.info().catch(() => unknown), silence]);
  return { idle, resultAgeMs: Math.min(...executions.map(({ ageMs }) => ageMs)) };
}
