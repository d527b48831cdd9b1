import type { Duplex } from "node:stream";

const FLUSH_MS = 10_000;
const LINGER_MS = 1000;

/**
 * Sends the last bytes and waits a moment for the other side to have them: closing while it still sends would make
 * its system throw away what it hasn't read.
 */
export function closeGently(stream: Duplex, lastBytes?: Buffer, flushMs = FLUSH_MS): void {
  if (stream.destroyed) return;
  const destroy = () => stream.destroy();
  let timer = setTimeout(destroy, flushMs);
  const step = () => {
    if (!stream.writableFinished) return;
    clearTimeout(timer);
    if (stream.readableEnded) destroy();
    else timer = setTimeout(destroy, LINGER_MS);
  };
  stream.once("close", () => clearTimeout(timer));
  stream.once("end", step).once("finish", step);
  if (!stream.writableEnded) stream.end(lastBytes);
  stream.resume();
}
