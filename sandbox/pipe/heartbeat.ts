// Notices silence: asks when nothing was heard for a while, and gives the connection up when no answer comes.
import { type Connection, silent } from "./connection.ts";

export type HeartbeatOptions = {
  connection: Connection;
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
export function startHeartbeat({ connection, everyMs, patienceMs, ...now }: HeartbeatOptions): () => void {
  const timer = setInterval(() => {
    if (now.asleep()) return;
    const time = performance.now();
    if (connection.pingedAt !== undefined) {
      if (time - connection.pingedAt > patienceMs) connection.destroy(silent("did not answer"));
    } else if (time - connection.lastHeard >= (now.urgent() ? everyMs / 3 : everyMs) - 10) {
      connection.ping(now.received());
    }
  }, everyMs / 3);
  timer.unref();
  return () => clearInterval(timer);
}
