// A model that says nothing for too long is given up, whether it never began or fell silent in the middle.
import { env } from "#env.ts";

const LOOK_MS = 250;

export function watchSilence() {
  const controller = new AbortController();
  const most = env().COVE_AGENT_PATIENCE * 1000;
  let timer: NodeJS.Timeout | undefined;
  return {
    /** Aborted when it was too long. */
    signal: controller.signal,
    /** From here on it is the model's turn, unless a program is at work. */
    begin(busy: () => boolean): void {
      let since = performance.now();
      clearInterval(timer);
      timer = setInterval(() => {
        if (busy()) since = performance.now();
        else if (performance.now() - since > most) controller.abort();
      }, LOOK_MS);
    },
    pause: () => clearInterval(timer),
  };
}
