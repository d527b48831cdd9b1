import { PassThrough } from "node:stream";
import { buffer } from "node:stream/consumers";
import fc from "fast-check";
import { expect, test } from "vitest";
import { ExecStream } from "./dial-exec.ts";

test("the engine's framing is taken off, however it is cut", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.uint8Array({ minLength: 1, maxLength: 50 }), { maxLength: 10 }),
      fc.integer({ min: 1, max: 40 }),
      async (pieces, size) => {
        const raw = new PassThrough();
        const framed = Buffer.concat(pieces.map((piece) => engineFrame(1, piece)));
        for (let at = 0; at < framed.length; at += size) raw.write(framed.subarray(at, at + size));
        raw.end();
        expect(await buffer(new ExecStream(raw))).toEqual(Buffer.concat(pieces));
      },
    ),
    { numRuns: 50 },
  );
});

test("what the relay complains about is the reason the stream ends with", async () => {
  const raw = new PassThrough();
  raw.end(engineFrame(2, Buffer.from("nc: no such socket\n")));
  await expect(buffer(new ExecStream(raw))).rejects.toThrow("nc: no such socket");
});

test("a slow reader stops the engine's stream", async () => {
  const raw = new PassThrough();
  const stream = new ExecStream(raw);
  let written = 0;
  while (raw.write(engineFrame(1, Buffer.alloc(32 * 1024))) && written < 100) {
    written++;
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(written).toBeLessThan(100);
  expect(stream.readableLength).toBeLessThanOrEqual(512 * 1024);
});

function engineFrame(kind: number, payload: Uint8Array): Buffer {
  const header = Buffer.alloc(8);
  header[0] = kind;
  header.writeUInt32BE(payload.length, 4);
  return Buffer.concat([header, payload]);
}
