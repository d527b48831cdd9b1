// Notices silence: asks when nothing was heard for a while, and gives the connection up when no answer comes.
import { type Link, silent } from "./link.ts";

export type HeartbeatOptions = {
  link: Link;
  everyMs: number;
  /** How long an answer may take. */
  patienceMs: number;
  received: () => number;
  /** True while somebody waits for the daemon: then it is asked three times as often. */
  urgent: () => boolean;
  /** True while silence is expected. */
  asleep: () => boolean;
};

/** Returns the function that ends it. */
export function startHeartbeat({ link, everyMs, patienceMs, ...now }: HeartbeatOptions): () => void {
  const timer = setInterval(() => {
    if (now.asleep()) return;
    const time = performance.now();
    if (link.pingedAt !== undefined) {
      if (time - link.pingedAt > patienceMs) link.destroy(silent("did not answer"));
    } else if (time - link.lastHeard >= (now.urgent() ? everyMs / 3 : everyMs) - 10) {
      link.ping(now.received());
    }
  }, everyMs / 3);
  timer.unref();
  return () => clearInterval(timer);
}
