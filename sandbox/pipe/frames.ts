// Frames: a ten-byte header (payload length, type, channel, stream) and a payload. docs/protocol.md has the table.
import { PipeError, SandboxError } from "../errors.ts";

export const PROTOCOL_VERSION = 1;
export const HEADER_BYTES = 10;
export const MAX_PAYLOAD = 256 * 1024;
export const MAX_CHUNK = 64 * 1024;
/** What may be on its way on one channel of one stream without being asked for again. */
export const WINDOW = 512 * 1024;

export const FrameType = {
  hello: 1,
  open: 2,
  reply: 3,
  data: 4,
  credit: 5,
  end: 6,
  close: 7,
  ack: 8,
  ping: 9,
  pong: 10,
  bye: 11,
} as const;

export type Frame = { type: number; channel: number; stream: number; payload: Buffer };

/** These are numbered, kept until acknowledged and sent again after a reconnect. */
export function isSequenced(type: number): boolean {
  return type >= FrameType.open && type <= FrameType.close;
}

export function encodeFrame(type: number, channel: number, stream: number, payload?: Uint8Array): Buffer {
  const length = payload?.length ?? 0;
  const frame = Buffer.allocUnsafe(HEADER_BYTES + length);
  frame.writeUInt32BE(length, 0);
  frame[4] = type;
  frame[5] = channel;
  frame.writeUInt32BE(stream, 6);
  if (payload) frame.set(payload, HEADER_BYTES);
  return frame;
}

export function encodeMessage(type: number, channel: number, stream: number, message: object): Buffer {
  const payload = Buffer.from(JSON.stringify(message));
  // The daemon would hang up on it, and get it again with every new connection.
  if (payload.length > MAX_PAYLOAD)
    throw new SandboxError("invalid_argument", "This is too long to be sent at once: put it into a file.");
  return encodeFrame(type, channel, stream, payload);
}

export function encodeCount(type: number, count: number): Buffer {
  const payload = Buffer.allocUnsafe(8);
  payload.writeBigUInt64BE(BigInt(count));
  return encodeFrame(type, 0, 0, payload);
}

/** Cuts a byte stream into frames; never holds more than one frame that isn't whole, nor more than one copy of that. */
export class FrameDecoder {
  /** A header, then the whole frame that it announces; filled as bytes come. */
  #partial = Buffer.alloc(0);
  #filled = 0;

  /** Calls `take` for every whole frame. Throws a protocol violation for what can't be one. */
  push(chunk: Buffer, take: (frame: Frame) => void): void {
    let rest = chunk;
    while (this.#filled > 0 && rest.length > 0) rest = this.#fill(rest, take);
    while (rest.length >= HEADER_BYTES) {
      const size = frameBytes(rest);
      if (size > rest.length) break;
      const frame = rest.subarray(0, size);
      rest = rest.subarray(size);
      take(frameOf(frame));
    }
    if (rest.length > 0) this.#begin(rest);
  }

  /** Bytes held back because their frame isn't whole yet. */
  get held(): number {
    return this.#filled;
  }

  #begin(rest: Buffer): void {
    const size = rest.length < HEADER_BYTES ? HEADER_BYTES : frameBytes(rest);
    this.#partial = Buffer.allocUnsafe(size);
    this.#filled = rest.copy(this.#partial);
  }

  /** Returns what the frame in the making had no use for. */
  #fill(chunk: Buffer, take: (frame: Frame) => void): Buffer {
    const copied = chunk.copy(this.#partial, this.#filled);
    this.#filled += copied;
    const rest = chunk.subarray(copied);
    if (this.#filled < this.#partial.length) return rest;
    const whole = this.#partial;
    if (whole.length < frameBytes(whole)) {
      this.#begin(whole);
      return rest;
    }
    this.#filled = 0;
    this.#partial = Buffer.alloc(0);
    take(frameOf(whole));
    return rest;
  }
}

/** The size of the frame that begins here, as its header says. */
function frameBytes(buffer: Buffer): number {
  const length = buffer.readUInt32BE(0);
  const type = buffer[4] as number;
  const channel = buffer[5] as number;
  if (length <= MAX_PAYLOAD && type >= FrameType.hello && type <= FrameType.bye && channel <= 3)
    return HEADER_BYTES + length;
  throw new PipeError(
    "protocol_violation",
    `The sandbox sent a frame that can't be: type ${type}, channel ${channel}, ${length} bytes.`,
  );
}

function frameOf(frame: Buffer): Frame {
  return {
    type: frame[4] as number,
    channel: frame[5] as number,
    stream: frame.readUInt32BE(6),
    payload: frame.subarray(HEADER_BYTES),
  };
}
