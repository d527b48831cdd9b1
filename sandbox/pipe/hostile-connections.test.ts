// Connections from a daemon that lies: what breaks the rules is named, and what is held stays within them.
import type { Duplex } from "node:stream";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { PipeError } from "../errors.ts";
import { CARRIED_WINDOW } from "./carried-stream.ts";
import { CarriedStreams } from "./carried-streams.ts";
import { encodeFrame, type Frame, FrameDecoder, FrameType } from "./frames.ts";

const { open, data, credit, end, close, reply } = FrameType;

const misbehaviour: Record<string, Frame[]> = {
  "data on a connection never opened": [frame(data, 1, 4, 1)],
  "a connection opened twice": [frame(open, 0, 2)],
  "a number that was used before": [frame(open, 0, 8), frame(open, 0, 6)],
  "the number zero": [frame(open, 0, 0)],
  "more connections than there may be": Array.from({ length: 256 }, (_, index) =>
    frame(open, 0, 4 + 2 * index),
  ),
  "more data than the window": [
    ...Array(CARRIED_WINDOW / 1024).fill(frame(data, 1, 2, 1024)),
    frame(data, 1, 2, 1),
  ],
  "empty data": [frame(data, 1, 2)],
  "data on the way in": [frame(data, 0, 2, 1)],
  "two ends": [frame(end, 1, 2), frame(end, 1, 2)],
  "data after the end": [frame(end, 1, 2), frame(data, 1, 2, 1)],
  "credit for more than was sent": [frame(credit, 0, 2, 4)],
  "a frame after the last": [frame(close, 0, 2), frame(data, 1, 2, 1)],
  "a reply": [frame(reply, 1, 2)],
};

for (const [what, frames] of Object.entries(misbehaviour)) {
  test(`${what} is a protocol violation`, () => {
    const { streams } = connected();
    const all = () => {
      for (const each of frames) streams.receive(each);
    };
    expect(all).toThrow(expect.objectContaining({ code: "protocol_violation" }));
  });
}

test("what we hang up on may still send what was on its way, and no more", () => {
  const { streams, accepted } = connected();
  accepted[0]?.destroy();
  streams.receive(frame(data, 1, 2, CARRIED_WINDOW));
  expect(() => streams.receive(frame(data, 1, 2, 1))).toThrow(/nobody asked for/);
});

test("a place is free again when both sides have closed", () => {
  const { streams, accepted, sent } = connected();
  accepted[0]?.destroy();
  expect(streams.open).toBe(1);
  expect(sent.map(({ type }) => type)).toEqual([close]);
  streams.receive(frame(close, 0, 2));
  expect(streams.open).toBe(0);
});

test("places that are taken and left without end become free more and more slowly", () => {
  const { streams, sent } = connected((stream) => stream.destroy());
  const churn = () => {
    for (let id = 4; ; id += 2) {
      streams.receive(frame(open, 0, id));
      streams.receive(frame(close, 0, id));
    }
  };
  expect(churn).toThrow(/too many connections/);
  expect(sent.length).toBeLessThan(500);
});

test("random frames end in a violation or in nothing, and whoever has a stream hears of its end", () => {
  const anyFrame = fc
    .tuple(
      fc.constantFrom(open, open, data, data, credit, end, close, reply),
      fc.constantFrom(0, 1, 1, 2),
      fc.constantFrom(0, 2, 4, 6, 8),
      fc.constantFrom(0, 1, 4, 4096),
    )
    .map(([type, channel, stream, size]) => frame(type, channel, stream, size));
  const run = async (frames: Frame[]) => {
    const ended: Promise<unknown>[] = [];
    const { streams, accepted } = connected((stream) => {
      ended.push(new Promise((resolve) => stream.once("close", resolve)));
      stream.on("error", () => undefined).pipe(stream);
    });
    try {
      for (const each of frames) streams.receive(each);
    } catch (error) {
      expect(error).toBeInstanceOf(PipeError);
    }
    streams.lose();
    await Promise.all(ended);
    expect(accepted.every(({ destroyed }) => destroyed)).toBe(true);
    expect(streams.open).toBe(0);
  };
  return fc.assert(fc.asyncProperty(fc.array(anyFrame, { maxLength: 30 }), run), { numRuns: 500 });
});

/** With one connection open, of number 2. */
function connected(accept?: (stream: Duplex) => void) {
  const accepted: Duplex[] = [];
  const sent: Frame[] = [];
  const decoder = new FrameDecoder();
  const streams = new CarriedStreams({
    send: (bytes) => decoder.push(bytes, (each) => sent.push(each)),
    accept(stream) {
      accepted.push(stream);
      accept?.(stream);
    },
  });
  onTestFinished(() => streams.lose());
  streams.receive(frame(open, 0, 2));
  return { streams, accepted, sent };
}

function frame(type: number, channel: number, stream: number, size = 0): Frame {
  const frames: Frame[] = [];
  const payload = size === 4 ? Buffer.from([0, 0, 0, 1]) : Buffer.alloc(size);
  new FrameDecoder().push(encodeFrame(type, channel, stream, payload), (each) => frames.push(each));
  return frames[0] as Frame;
}
