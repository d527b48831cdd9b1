// A connection that code in the sandbox opened, as a stream of this process. What it may hold is one window either way.
import { Duplex } from "node:stream";
import { ByteQueue } from "./byte-queue.ts";
import { encodeFrame, type Frame, FrameType, MAX_CHUNK } from "./frames.ts";
import { violation } from "./messages.ts";

/** Small, because a sandbox may have hundreds of these. */
export const CARRIED_WINDOW = 64 * 1024;
const CREDIT_STEP = CARRIED_WINDOW / 2;

export type CarriedOptions = {
  send: (frame: Buffer) => void;
  /** We are done with it: the time to say so is the owner's to choose, with `hangUp`. */
  onDone: () => void;
};

export class CarriedStream extends Duplex {
  readonly id: number;
  #options: CarriedOptions;
  /** The daemon has said its last word: nothing may come any more. */
  #left = false;
  #hungUp = false;
  #ended = false;
  #waiting = new ByteQueue();
  #wanted = false;
  #allowed = CARRIED_WINDOW;
  #taken = 0;
  #returned = 0;
  #credit = CARRIED_WINDOW;
  #unreturned = 0;
  #pending: { chunk: Buffer; done: () => void } | undefined;

  constructor(id: number, options: CarriedOptions) {
    // What can't be handed on at once waits in our queue rather than in the stream's, which keeps pieces as they come.
    super({ readableHighWaterMark: 1, writableHighWaterMark: CARRIED_WINDOW });
    this.id = id;
    this.#options = options;
  }

  /** Both sides are done with it, and its number is free of meaning. */
  get over(): boolean {
    return this.#left && this.#hungUp;
  }

  /** For the session. What was never allowed throws. */
  receive({ type, channel, payload }: Frame): void {
    if (this.#left) throw violation("a frame on a connection that it closed");
    if (type === FrameType.data && channel === 1) this.#take(payload);
    else if (type === FrameType.credit && channel === 0) this.#refill(payload);
    else if (type === FrameType.end && channel === 1 && !this.#ended) this.#end();
    else if (type === FrameType.close) this.#leave();
    else throw violation(`a frame of type ${type} on a connection`);
  }

  /** Tells the daemon that we are done with it. Afterwards nothing is sent. */
  hangUp(): void {
    if (this.#hungUp) return;
    this.#hungUp = true;
    this.#options.send(encodeFrame(FrameType.close, 0, this.id));
  }

  /** The pipe lost it: nobody is left to be told. */
  lose(): void {
    this.#left = true;
    this.#hungUp = true;
    this.destroy();
  }

  override read(size?: number): Buffer | null {
    const chunk: Buffer | null = super.read(size);
    this.#giveBack();
    return chunk;
  }

  override _read(): void {
    this.#wanted = true;
    while (this.#wanted && this.#waiting.size > 0) this.#wanted = this.push(this.#waiting.take());
    if (this.#ended && this.#waiting.size === 0) this.push(null);
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#pending = { chunk, done };
    this.#pump();
  }

  override _final(done: () => void): void {
    this.#options.send(encodeFrame(FrameType.end, 0, this.id));
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    const pending = this.#pending;
    this.#pending = undefined;
    this.#options.onDone();
    pending?.done();
    done(error);
  }

  #take(data: Buffer): void {
    this.#allowed -= data.length;
    if (this.#allowed < 0 || data.length === 0 || this.#ended) throw violation("data nobody asked for");
    if (this.destroyed) return;
    this.#taken += data.length;
    if (this.#wanted) this.#wanted = this.push(data);
    else this.#waiting.add(data);
    // A reader that listens has had it already.
    this.#giveBack();
  }

  #end(): void {
    this.#ended = true;
    if (!this.destroyed && this.#waiting.size === 0) this.push(null);
  }

  #leave(): void {
    this.#left = true;
    // After a farewell of both sides what is still unread stays readable; anything else is a broken connection.
    if (!this.#ended || !this.writableFinished) this.destroy();
  }

  /** Credit goes back as the data is read, not as it arrives. */
  #giveBack(): void {
    const consumed = this.#taken - this.#waiting.size - this.readableLength - this.#returned;
    if (consumed < CREDIT_STEP || this.#left || this.destroyed) return;
    this.#returned += consumed;
    this.#allowed += consumed;
    const payload = Buffer.allocUnsafe(4);
    payload.writeUInt32BE(consumed);
    this.#options.send(encodeFrame(FrameType.credit, 1, this.id, payload));
  }

  #refill(payload: Buffer): void {
    const bytes = payload.length === 4 ? payload.readUInt32BE() : 0;
    if (bytes === 0 || bytes > this.#unreturned) throw violation("a credit for more than was sent");
    this.#unreturned -= bytes;
    this.#credit += bytes;
    this.#pump();
  }

  #pump(): void {
    while (this.#pending && this.#credit > 0) {
      const { chunk, done } = this.#pending;
      const piece = chunk.subarray(0, Math.min(this.#credit, MAX_CHUNK));
      this.#credit -= piece.length;
      this.#unreturned += piece.length;
      if (piece.length > 0) this.#options.send(encodeFrame(FrameType.data, 0, this.id, piece));
      this.#pending = { chunk: chunk.subarray(piece.length), done };
      if (piece.length < chunk.length) continue;
      this.#pending = undefined;
      done();
    }
  }
}
