import fc from "fast-check";
import { expect, test } from "vitest";
import { encodeFrame, type Frame, FrameDecoder, FrameType, HEADER_BYTES, MAX_PAYLOAD } from "./frames.ts";

const frames = fc.array(
  fc.record({
    type: fc.integer({ min: FrameType.hello, max: FrameType.bye }),
    channel: fc.integer({ min: 0, max: 2 }),
    stream: fc.integer({ min: 0, max: 0xffff_ffff }),
    payload: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
  }),
  { maxLength: 20 },
);

test("frames come out as they went in, however the bytes are cut", () => {
  fc.assert(
    fc.property(frames, fc.array(fc.integer({ min: 1, max: 64 }), { minLength: 1 }), (sent, cuts) => {
      const received: Frame[] = [];
      const decoder = new FrameDecoder();
      for (const piece of cut(encodeAll(sent), cuts))
        decoder.push(piece, (frame) => received.push(copy(frame)));
      expect(received).toEqual(sent);
      expect(decoder.held).toBe(0);
    }),
  );
});

test("random bytes are frames or a protocol violation, and never more than one frame is held back", () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 2000 }), { maxLength: 20 }), (pieces) => {
      const decoder = new FrameDecoder();
      try {
        for (const piece of pieces) decoder.push(Buffer.from(piece), () => undefined);
      } catch (error) {
        expect(error).toMatchObject({ name: "PipeError", code: "protocol_violation" });
      }
      expect(decoder.held).toBeLessThanOrEqual(HEADER_BYTES + MAX_PAYLOAD + 2000);
    }),
  );
});

test("a frame that was cut off is waited for", () => {
  const whole = encodeFrame(FrameType.data, 1, 7, Buffer.alloc(100_000, 3));
  const received: Frame[] = [];
  const decoder = new FrameDecoder();
  decoder.push(whole.subarray(0, -1), (frame) => received.push(frame));
  expect(received).toEqual([]);
  decoder.push(whole.subarray(-1), (frame) => received.push(frame));
  expect(received).toHaveLength(1);
});

test("a frame that claims more than the limit is refused by its header alone", () => {
  const header = encodeFrame(FrameType.data, 1, 7);
  header.writeUInt32BE(MAX_PAYLOAD + 1);
  expect(() => new FrameDecoder().push(header, () => undefined)).toThrow(/can't be/);
});

function encodeAll(sent: Frame[]): Buffer {
  return Buffer.concat(
    sent.map(({ type, channel, stream, payload }) => encodeFrame(type, channel, stream, payload)),
  );
}

function* cut(bytes: Buffer, sizes: number[]): Generator<Buffer> {
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length] as number;
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

function copy(frame: Frame): Frame {
  return { ...frame, payload: Buffer.from(frame.payload) };
}
