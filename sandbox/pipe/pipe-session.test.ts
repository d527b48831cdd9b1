import { expect, test } from "vitest";
import { PipeError } from "../errors.ts";
import {
  encodeFrame,
  encodeMessage,
  type Frame,
  FrameDecoder,
  FrameType,
  MAX_CHUNK,
  WINDOW,
} from "./frames.ts";
import { PipeSession } from "./pipe-session.ts";
import type { StreamHandler } from "./pipe-stream.ts";

test("what was not acknowledged is sent again over the next connection", () => {
  const { session, written } = connected();
  session.start({ op: "a" }, quiet());
  session.start({ op: "b" }, quiet());
  session.acknowledge(u64(1), true);
  session.pause();
  session.start({ op: "c" }, quiet());
  expect(requests(written)).toEqual(["a", "b"]);
  const again: Buffer[] = [];
  session.resume(1, (frame) => again.push(frame));
  expect(requests(again)).toEqual(["b", "c"]);
});

test("data is sent only as far as there is credit", async () => {
  const { session, written } = connected();
  const stream = session.start({ op: "write" }, quiet());
  const done = stream.write(Buffer.alloc(WINDOW + 10));
  await tick();
  expect(dataBytes(written)).toBe(WINDOW);
  session.receive(frame(FrameType.credit, 0, 1, u32(10)));
  await done;
  expect(dataBytes(written)).toBe(WINDOW + 10);
});

test("credit goes back when the data was consumed, not when it came", () => {
  const { session, written } = connected();
  const stream = session.start({ op: "read" }, quiet());
  for (let sent = 0; sent < WINDOW; sent += MAX_CHUNK)
    session.receive(frame(FrameType.data, 1, 1, Buffer.alloc(MAX_CHUNK)));
  expect(ofType(written, FrameType.credit)).toHaveLength(0);
  expect(() => session.receive(frame(FrameType.data, 1, 1, Buffer.alloc(1)))).toThrow(/nobody asked for/);
  stream.consumed(1, WINDOW);
  expect(ofType(written, FrameType.credit)).toHaveLength(1);
});

const misbehaviour: Record<string, (session: PipeSession) => void> = {
  "credit for more than was sent": (session) => session.receive(frame(FrameType.credit, 0, 1, u32(1))),
  "empty data": (session) => session.receive(frame(FrameType.data, 1, 1)),
  "data on the way in": (session) => session.receive(frame(FrameType.data, 0, 1, Buffer.alloc(1))),
  "a reply that is not JSON": (session) => session.receive(frame(FrameType.reply, 1, 1, Buffer.from("{"))),
  "a reply that is a list": (session) => session.receive(frame(FrameType.reply, 1, 1, Buffer.from("[]"))),
  "a frame for a call never made": (session) =>
    session.receive(frame(FrameType.data, 1, 99, Buffer.alloc(1))),
  "a call of its own": (session) => session.receive(frame(FrameType.open, 0, 1, Buffer.from("{}"))),
  "endless replies": (session) => {
    for (let i = 0; i < 1000; i++) session.receive(message(FrameType.reply, 0, 1, {}));
  },
  "endless data for a call that is over": (session) => {
    session.receive(message(FrameType.reply, 1, 1, {}));
    for (let i = 0; i < 1000; i++) session.receive(frame(FrameType.data, 1, 1, Buffer.alloc(1000)));
  },
  "an acknowledgement of what was never sent": (session) => session.acknowledge(u64(99), true),
  "the same acknowledgement again": (session) => {
    session.acknowledge(u64(1), true);
    session.acknowledge(u64(1), true);
  },
};

for (const [what, misbehave] of Object.entries(misbehaviour)) {
  test(`${what} is a protocol violation`, () => {
    const { session } = connected();
    session.start({ op: "x" }, quiet());
    expect(() => misbehave(session)).toThrow(expect.objectContaining({ code: "protocol_violation" }));
  });
}

test("a cancelled call may still get what was on its way", () => {
  const { session } = connected();
  const stream = session.start({ op: "read" }, quiet());
  stream.cancel();
  session.receive(frame(FrameType.data, 1, 1, Buffer.alloc(MAX_CHUNK)));
  session.receive(message(FrameType.reply, 1, 1, {}));
  expect(session.open).toBe(0);
});

test("every open call hears of the end exactly once", () => {
  const { session } = connected();
  const lost: string[] = [];
  const handler = { ...quiet(), onLost: (error: Error) => void lost.push(error.message) };
  session.start({ op: "x" }, handler);
  session.fail(new PipeError("disconnected", "gone"));
  session.fail(new PipeError("disconnected", "gone again"));
  expect(lost).toEqual(["gone"]);
});

function connected() {
  const session = new PipeSession();
  const written: Buffer[] = [];
  session.resume(0, (frame) => written.push(frame));
  return { session, written };
}

function quiet(): StreamHandler {
  return { onReply: () => undefined, onData: () => undefined, onLost: () => undefined };
}

function frame(type: number, channel: number, stream: number, payload: Buffer = Buffer.alloc(0)): Frame {
  return decode([encodeFrame(type, channel, stream, payload)])[0] as Frame;
}

function message(type: number, channel: number, stream: number, body: object): Frame {
  return decode([encodeMessage(type, channel, stream, body)])[0] as Frame;
}

function decode(written: Buffer[]): Frame[] {
  const frames: Frame[] = [];
  const decoder = new FrameDecoder();
  for (const bytes of written) decoder.push(bytes, (frame) => frames.push(frame));
  return frames;
}

function ofType(written: Buffer[], type: number): Frame[] {
  return decode(written).filter((frame) => frame.type === type);
}

function requests(written: Buffer[]): string[] {
  return ofType(written, FrameType.open).map((frame) => JSON.parse(frame.payload.toString()).op);
}

function dataBytes(written: Buffer[]): number {
  return ofType(written, FrameType.data).reduce((sum, frame) => sum + frame.payload.length, 0);
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function u64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(value));
  return bytes;
}

function tick(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
