// Tells the sandbox which results it may forget, many with one message. If that is lost, the daemon forgets the oldest by itself.
import { ignoreGone } from "../errors.ts";
import type { Pipe } from "../pipe/pipe.ts";

const AFTER_MS = 500;

export function collectSoon() {
  let collected: string[] = [];

  return function collect(pipe: Pipe, executionId: string): void {
    collected.push(executionId);
    if (collected.length > 1) return;
    const timer = setTimeout(() => {
      const ids = collected;
      collected = [];
      // Over the pipe as it is: forgetting is no reason to wake a sandbox.
      if (pipe.state === "connected") pipe.request({ op: "collect", ids }).catch(ignoreGone);
    }, AFTER_MS);
    timer.unref();
  };
}
