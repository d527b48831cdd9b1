import fc from "fast-check";
import { expect, test } from "vitest";
import { readResults } from "./rich-results.ts";

function frame(kind: number, flags: number, content: string | Buffer): Buffer {
  const header = Buffer.from([kind, flags, 0, 0, 0, 0]);
  header.writeUInt32BE(Buffer.byteLength(content), 2);
  return Buffer.concat([header, Buffer.from(content)]);
}

test("results come in order, with their plain twin and whether they are the value", () => {
  const image = Buffer.from([0x89, 0x50, 0xff]);
  const bytes = Buffer.concat([
    frame(5, 0, image),
    frame(0, 2, "<Figure>"),
    frame(1, 1, "<b>"),
    frame(0, 3, "b"),
  ]);
  expect(readResults(bytes)).toEqual([
    { mime: "image/png", value: false, data: image, plain: "<Figure>" },
    { mime: "text/html", value: true, text: "<b>", plain: "b" },
  ]);
});

test("what isn't a frame ends the reading; what came before counts", () => {
  const good = frame(0, 0, "good");
  for (const bad of [Buffer.from([99, 0, 0, 0, 0, 0]), Buffer.from([0, 4, 0, 0, 0, 0])])
    expect(readResults(Buffer.concat([good, bad, good]))).toHaveLength(1);
  expect(readResults(Buffer.concat([good, good.subarray(0, -1)]))).toHaveLength(1);
});

test("a twin of nothing is nothing, and the number of results is bounded", () => {
  expect(readResults(frame(0, 2, "alone"))).toEqual([]);
  expect(readResults(Buffer.concat(Array(1000).fill(frame(0, 0, ""))))).toHaveLength(256);
});

test("no bytes make it throw", () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => void readResults(Buffer.from(bytes))));
});
