// The connections that code in one sandbox has open through its pipe. The daemon opens them; how many there are and
// how fast new ones follow is decided here, because whoever speaks for the daemon may be anybody.
import type { Duplex } from "node:stream";
import { CarriedStream } from "./carried-stream.ts";
import { type Frame, FrameType } from "./frames.ts";
import { violation } from "./messages.ts";

const MOST_OPEN = 256;
/** A place is free again when both sides have closed, so closing at this pace is a limit for opening, too. */
const PER_SECOND = 200;
const BURST = 400;

export type CarriedStreamsOptions = {
  send: (frame: Buffer) => void;
  /** Takes a new connection. Without it each is closed at once. */
  accept?: ((stream: Duplex) => void) | undefined;
};

export class CarriedStreams {
  #options: CarriedStreamsOptions;
  #streams = new Map<number, CarriedStream>();
  #newest = 0;
  #leaving: CarriedStream[] = [];
  #nextHangUp = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: CarriedStreamsOptions) {
    this.#options = options;
  }

  get open(): number {
    return this.#streams.size;
  }

  receive(frame: Frame): void {
    if (frame.type === FrameType.open) {
      this.#open(frame.stream);
      return;
    }
    const stream = this.#streams.get(frame.stream);
    if (!stream) throw violation("a frame for a connection that isn't there");
    stream.receive(frame);
    this.#forgetIfOver(stream);
  }

  /** The daemon knows none of them any more. */
  lose(): void {
    const lost = [...this.#streams.values()];
    this.#streams.clear();
    this.#newest = 0;
    this.#leaving = [];
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const stream of lost) stream.lose();
  }

  #open(id: number): void {
    if (id <= this.#newest) throw violation("a connection was opened twice");
    if (this.#streams.size >= MOST_OPEN) throw violation("too many connections");
    this.#newest = id;
    const stream: CarriedStream = new CarriedStream(id, {
      send: this.#options.send,
      onDone: () => this.#leave(stream),
    });
    this.#streams.set(id, stream);
    const { accept } = this.#options;
    if (accept) accept(stream);
    else stream.destroy();
  }

  /** Hangs up at a pace: at once as a rule, later when a flood of connections comes and goes. */
  #leave(stream: CarriedStream): void {
    if (this.#streams.get(stream.id) !== stream) return;
    this.#leaving.push(stream);
    if (!this.#timer) this.#hangUp();
  }

  #hangUp(): void {
    this.#timer = undefined;
    const now = performance.now();
    const step = 1000 / PER_SECOND;
    this.#nextHangUp = Math.max(this.#nextHangUp, now - BURST * step);
    while (this.#leaving.length > 0 && this.#nextHangUp <= now) {
      const stream = this.#leaving.shift() as CarriedStream;
      this.#nextHangUp += step;
      stream.hangUp();
      this.#forgetIfOver(stream);
    }
    if (this.#leaving.length === 0) return;
    this.#timer = setTimeout(() => this.#hangUp(), this.#nextHangUp - now);
    this.#timer.unref();
  }

  #forgetIfOver(stream: CarriedStream): void {
    if (stream.over) this.#streams.delete(stream.id);
  }
}
