// A session outlives its connections: frames are numbered, kept until acknowledged and sent again after a break.
// Everything that arrives is counted against something we asked for.
import type { Duplex } from "node:stream";
import { PipeError, type SandboxError } from "../errors.ts";
import { CarriedStreams } from "./carried-streams.ts";
import { encodeCount, type Frame, FrameType, isSequenced } from "./frames.ts";
import { parseMessage, violation } from "./messages.ts";
import { PipeStream, type StreamHandler } from "./pipe-stream.ts";

const ACK_FRAMES = 64;
const ACK_BYTES = 128 * 1024;
const MOST_UNACKNOWLEDGED = 32 * 1024 * 1024;
const LATE_BYTES = 64 * 1024;
const LAST_STREAM = 0xffff_fff0;

export type PipeSessionOptions = {
  /** The largest number that a call can have. */
  lastStream?: number | undefined;
  /** Takes a connection that code in the sandbox opened. Without it each is closed at once. */
  onConnection?: ((stream: Duplex) => void) | undefined;
  /** Something can't be sent, and nobody waits for it who could be told. */
  onStuck?: ((error: PipeError) => void) | undefined;
};

export class PipeSession {
  received = 0;
  #streams = new Map<number, PipeStream>();
  #nextStream = 1;
  #sent: Buffer[] = [];
  #sentBytes = 0;
  #acknowledged = 0;
  #told = 0;
  #bytesSinceTold = 0;
  #lateBytes = LATE_BYTES;
  #write: ((frame: Buffer) => void) | undefined;
  #carried: CarriedStreams;
  #lastStream: number;

  constructor({ lastStream = LAST_STREAM, onConnection, onStuck }: PipeSessionOptions = {}) {
    this.#lastStream = lastStream;
    const send = (frame: Buffer) => {
      try {
        this.#send(frame);
      } catch (error) {
        if (!(error instanceof PipeError)) throw error;
        onStuck?.(error);
      }
    };
    this.#carried = new CarriedStreams({ send, accept: onConnection });
  }

  get open(): number {
    return this.#streams.size;
  }

  /** Too many calls were made on one session to number another. */
  get usedUp(): boolean {
    return this.#nextStream > this.#lastStream;
  }

  start(request: object, handler: StreamHandler): PipeStream {
    const id = this.#nextStream;
    this.#nextStream += 2;
    const stream = new PipeStream(id, handler, (frame) => {
      if (stream.done && this.#streams.delete(id)) this.#lateBytes += stream.outstanding + LATE_BYTES;
      this.#send(frame);
    });
    stream.open(request);
    this.#streams.set(id, stream);
    return stream;
  }

  /** Carries on over a new connection whose daemon has seen so many of our frames. */
  resume(total: number, write: (frame: Buffer) => void): void {
    this.#forget(total);
    this.#write = write;
    for (const frame of this.#sent) write(frame);
  }

  pause(): void {
    this.#write = undefined;
  }

  /** The daemon no longer knows this session: every call on it is lost, the next ones start afresh. */
  restart(write: (frame: Buffer) => void, error: SandboxError): void {
    const lost = [...this.#streams.values()];
    this.received = this.#acknowledged = this.#told = this.#bytesSinceTold = 0;
    this.#lateBytes = LATE_BYTES;
    this.#streams.clear();
    this.#nextStream = 1;
    this.#sent = [];
    this.#sentBytes = 0;
    this.#write = write;
    this.#carried.lose();
    for (const stream of lost) stream.lose(error);
  }

  fail(error: SandboxError): void {
    this.#write = undefined;
    this.#sent = [];
    const lost = [...this.#streams.values()];
    this.#streams.clear();
    this.#carried.lose();
    for (const stream of lost) stream.lose(error);
  }

  receive(frame: Frame): void {
    this.received++;
    this.#bytesSinceTold += frame.payload.length;
    const stream = this.#streams.get(frame.stream);
    if (stream) {
      stream.receive(frame.type, frame.channel, frame.payload, parseMessage);
      if (stream.done) this.#streams.delete(frame.stream);
    } else if (frame.stream % 2 === 0) {
      this.#carried.receive(frame);
    } else {
      this.#late(frame);
    }
    if (this.received - this.#told >= ACK_FRAMES || this.#bytesSinceTold >= ACK_BYTES) this.#tell();
  }

  acknowledge(payload: Buffer, mustAdvance: boolean): void {
    const total = payload.length === 8 ? Number(payload.readBigUInt64BE()) : Number.NaN;
    const newest = this.#acknowledged + this.#sent.length;
    if (!(total >= this.#acknowledged && total <= newest) || (mustAdvance && total === this.#acknowledged))
      throw violation("an acknowledgement of what was never sent");
    this.#forget(total);
  }

  canResume(total: number): boolean {
    return total >= this.#acknowledged && total <= this.#acknowledged + this.#sent.length;
  }

  #send(frame: Buffer): void {
    if (!isSequenced(frame[4] as number)) throw new Error("Only numbered frames belong to a session.");
    this.#sent.push(frame);
    this.#sentBytes += frame.length;
    if (this.#sentBytes > MOST_UNACKNOWLEDGED)
      throw new PipeError(
        "unresponsive",
        "The sandbox takes nothing any more: too much waits to be acknowledged.",
      );
    this.#write?.(frame);
  }

  /** Frames for a call that is over may still be on their way, but not without end. */
  #late(frame: Frame): void {
    this.#lateBytes -= frame.payload.length + 64;
    if (frame.stream >= this.#nextStream) throw violation("a frame for a call never made");
    if (this.#lateBytes < 0) throw violation("too much for calls that are over");
  }

  #tell(): void {
    this.#told = this.received;
    this.#bytesSinceTold = 0;
    this.#write?.(encodeCount(FrameType.ack, this.received));
  }

  #forget(total: number): void {
    const forgotten = this.#sent.splice(0, total - this.#acknowledged);
    for (const frame of forgotten) this.#sentBytes -= frame.length;
    this.#acknowledged = total;
  }
}
