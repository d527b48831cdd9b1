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

/** Cuts a byte stream into frames; never holds more than one frame that isn't whole. */
export class FrameDecoder {
  #chunks: Buffer[] = [];
  #size = 0;
  #needed = HEADER_BYTES;

  /** Calls `take` for every whole frame. Throws a protocol violation for what can't be one. */
  push(chunk: Buffer, take: (frame: Frame) => void): void {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    if (this.#size < this.#needed) return;
    const buffer = this.#chunks.length === 1 ? chunk : Buffer.concat(this.#chunks, this.#size);
    let at = 0;
    this.#needed = HEADER_BYTES;
    while (buffer.length - at >= HEADER_BYTES) {
      const length = buffer.readUInt32BE(at);
      const type = buffer[at + 4] as number;
      const channel = buffer[at + 5] as number;
      if (length > MAX_PAYLOAD || type < FrameType.hello || type > FrameType.bye || channel > 3)
        throw new PipeError(
          "protocol_violation",
          `The sandbox sent a frame that can't be: type ${type}, channel ${channel}, ${length} bytes.`,
        );
      const end = at + HEADER_BYTES + length;
      if (end > buffer.length) {
        this.#needed = end - at;
        break;
      }
      take({
        type,
        channel,
        stream: buffer.readUInt32BE(at + 6),
        payload: buffer.subarray(at + HEADER_BYTES, end),
      });
      at = end;
    }
    this.#chunks = at < buffer.length ? [buffer.subarray(at)] : [];
    this.#size = buffer.length - at;
  }

  /** Bytes held back because their frame isn't whole yet. */
  get held(): number {
    return this.#size;
  }
}
