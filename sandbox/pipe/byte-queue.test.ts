import fc from "fast-check";
import { expect, test } from "vitest";
import { ByteQueue } from "./byte-queue.ts";

test("whatever is added comes out, in order and once, however it was cut", () => {
  const steps = fc.array(
    fc.oneof(
      fc.integer({ min: 1, max: 40 }),
      fc.integer({ min: 3000, max: 20_000 }),
      fc.constant("take" as const),
    ),
    { maxLength: 60 },
  );
  fc.assert(
    fc.property(steps, (sequence) => {
      const queue = new ByteQueue();
      const given: Buffer[] = [];
      const got: Buffer[] = [];
      for (const step of sequence) {
        if (step === "take") {
          const piece = queue.take();
          if (piece) got.push(piece);
        } else {
          const piece = Buffer.alloc(step, given.length);
          given.push(piece);
          queue.add(piece);
        }
      }
      for (let piece = queue.take(); piece; piece = queue.take()) got.push(piece);
      expect(queue.size).toBe(0);
      expect(Buffer.concat(got).equals(Buffer.concat(given))).toBe(true);
    }),
  );
});

test("a hundred thousand single bytes lie in a handful of pieces", () => {
  const queue = new ByteQueue();
  for (let i = 0; i < 100_000; i++) queue.add(Buffer.from([i & 0xff]));
  let pieces = 0;
  while (queue.take()) pieces++;
  expect(pieces).toBe(Math.ceil(100_000 / (16 * 1024)));
});
