// Hands output to a listener as it comes, one piece at a time. What comes while the listener is busy is joined, so that a
// daemon that cuts its output into single bytes can't make us remember more pieces than these.
import { ByteQueue } from "../pipe/byte-queue.ts";
import type { OutputChunk } from "../types.ts";

/** Past this many the order between stdout and stderr gives way; the order within each never does. */
const MOST_WAITING = 64;

type Waiting = { channel: number; data: ByteQueue };

export type DeliveriesOptions = {
  listener: (chunk: OutputChunk) => void | Promise<void>;
  /** The listener is done with so many bytes of a channel, or won't hear them any more. */
  onDone: (channel: number, bytes: number) => void;
};

export class OutputDeliveries {
  /** What the listener threw; it is not called again. */
  failure: { cause: unknown } | undefined;
  #options: DeliveriesOptions;
  #waiting: Waiting[] = [];
  #busy: Promise<void> | undefined;

  constructor(options: DeliveriesOptions) {
    this.#options = options;
  }

  add(channel: number, data: Buffer): void {
    this.#placeFor(channel).add(data);
    this.#busy ??= this.#deliver();
  }

  /** Resolves once the listener has had everything. */
  async settled(): Promise<void> {
    await this.#busy;
  }

  #placeFor(channel: number): ByteQueue {
    const last = this.#waiting.at(-1);
    if (last?.channel === channel) return last.data;
    const full = this.#waiting.length >= MOST_WAITING;
    const joined = full ? this.#waiting.findLast((waiting) => waiting.channel === channel) : undefined;
    if (joined) return joined.data;
    const data = new ByteQueue();
    this.#waiting.push({ channel, data });
    return data;
  }

  async #deliver(): Promise<void> {
    // Not at once: what comes in one go is joined first.
    await undefined;
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) {
      for (let data = next.data.take(); data; data = next.data.take()) await this.#hand(next.channel, data);
    }
    this.#busy = undefined;
  }

  async #hand(channel: number, data: Buffer): Promise<void> {
    try {
      if (!this.failure) await this.#options.listener({ stream: channel === 1 ? "stdout" : "stderr", data });
    } catch (cause) {
      this.failure = { cause };
    }
    try {
      this.#options.onDone(channel, data.length);
    } catch (cause) {
      this.failure ??= { cause };
    }
  }
}
