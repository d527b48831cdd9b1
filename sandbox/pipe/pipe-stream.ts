// One call on the pipe: replies, data in (as far as we gave credit) and data out (as far as the daemon did).
import type { SandboxError } from "../errors.ts";
import { encodeFrame, encodeMessage, FrameType, MAX_CHUNK, WINDOW } from "./frames.ts";
import { type Message, violation } from "./messages.ts";

const MOST_REPLIES = 16;
const CREDIT_STEP = WINDOW / 2;

export type StreamHandler = {
  onReply: (message: Message, final: boolean) => void;
  /** Whoever takes data gives it back with `consumed` once it is done with it. */
  onData?: (channel: number, data: Buffer) => void;
  /** The stream is over without a last word: the pipe broke, the daemon is another one now, or it misbehaved. */
  onLost: (error: SandboxError) => void;
};

export class PipeStream {
  readonly id: number;
  #send: (frame: Buffer) => void;
  #handler: StreamHandler;
  #done = false;
  #replies = 0;
  #incoming = [0, WINDOW, WINDOW, WINDOW];
  #consumed = [0, 0, 0, 0];
  #credit = WINDOW;
  #unreturned = 0;
  #wake: (() => void) | undefined;

  constructor(id: number, handler: StreamHandler, send: (frame: Buffer) => void) {
    this.id = id;
    this.#handler = handler;
    this.#send = send;
  }

  get done(): boolean {
    return this.#done;
  }

  /** What the daemon may still have on its way to us. */
  get outstanding(): number {
    return this.#incoming.reduce((sum, bytes) => sum + bytes);
  }

  open(request: object): void {
    this.#send(encodeMessage(FrameType.open, 0, this.id, request));
  }

  /** Sends as the daemon takes it. Resolves when all of it is on its way, or the stream is over. */
  async write(data: Uint8Array): Promise<void> {
    for (let at = 0; at < data.length && !this.#done; ) {
      if (this.#credit === 0) await new Promise<void>((resolve) => (this.#wake = resolve));
      const size = Math.min(data.length - at, this.#credit, MAX_CHUNK);
      if (size === 0 || this.#done) continue;
      this.#credit -= size;
      this.#unreturned += size;
      this.#send(encodeFrame(FrameType.data, 0, this.id, data.subarray(at, at + size)));
      at += size;
    }
  }

  end(): void {
    if (!this.#done) this.#send(encodeFrame(FrameType.end, 0, this.id));
  }

  /** Lets the daemon send as much again, once it adds up to something. */
  consumed(channel: number, bytes: number): void {
    const total = (this.#consumed[channel] ?? 0) + bytes;
    this.#consumed[channel] = total;
    if (total < CREDIT_STEP || this.#done) return;
    this.#consumed[channel] = 0;
    this.#incoming[channel] = (this.#incoming[channel] ?? 0) + total;
    const payload = Buffer.allocUnsafe(4);
    payload.writeUInt32BE(total);
    this.#send(encodeFrame(FrameType.credit, channel, this.id, payload));
  }

  /** We no longer care; the daemon stops what only this stream needed. */
  cancel(): void {
    if (this.#done) return;
    this.#finish();
    this.#send(encodeFrame(FrameType.close, 0, this.id));
  }

  /** For the session. What was never allowed throws, so a flood of anything ends the connection. */
  receive(type: number, channel: number, payload: Buffer, parse: (payload: Buffer) => Message): void {
    if (type === FrameType.reply) {
      if (++this.#replies > MOST_REPLIES) throw violation("too many replies to one request");
      const message = parse(payload);
      if (channel === 1) this.#finish();
      this.#handler.onReply(message, channel === 1);
    } else if (type === FrameType.data) {
      const left = (this.#incoming[channel] ?? 0) - payload.length;
      if (left < 0 || payload.length === 0 || !this.#handler.onData) throw violation("data nobody asked for");
      this.#incoming[channel] = left;
      this.#handler.onData(channel, payload);
    } else if (type === FrameType.credit) {
      this.#take(payload);
    } else {
      throw violation(`a frame of type ${type} on a stream of ours`);
    }
  }

  lose(error: SandboxError): void {
    if (this.#done) return;
    this.#finish();
    this.#handler.onLost(error);
  }

  #take(payload: Buffer): void {
    const bytes = payload.length === 4 ? payload.readUInt32BE() : 0;
    // Only what was sent can come back.
    if (bytes === 0 || bytes > this.#unreturned) throw violation("a credit for more than was sent");
    this.#unreturned -= bytes;
    this.#credit += bytes;
    this.#wake?.();
  }

  #finish(): void {
    this.#done = true;
    this.#wake?.();
  }
}
