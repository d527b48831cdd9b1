// An engine that is being restarted comes back within seconds; whoever waits for it is better off than who fails.

import { setTimeout as sleep } from "node:timers/promises";
import { SandboxError } from "../errors.ts";

/** Repeats `attempt` while the engine can't be reached, up to `patienceMs`. Any other failure is final. */
export async function whileEngineIsAway<T>(attempt: () => Promise<T>, patienceMs: number): Promise<T> {
  const deadline = Date.now() + patienceMs;
  for (let pause = 50; ; pause = Math.min(pause * 2, 1000)) {
    try {
      return await attempt();
    } catch (error) {
      const away = error instanceof SandboxError && error.code === "engine_unavailable";
      if (!away || Date.now() + pause > deadline) throw error;
      await sleep(pause);
    }
  }
}
