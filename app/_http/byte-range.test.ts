import { expect, test } from "vitest";
import { byteRange } from "./byte-range.ts";

test.each([
  [null, undefined],
  ["bytes=0-0", { offset: 0, length: 1 }],
  ["bytes=2-5", { offset: 2, length: 4 }],
  ["bytes=7-", { offset: 7, length: 3 }],
  ["bytes=-4", { offset: 6, length: 4 }],
  ["bytes=-40", { offset: 0, length: 10 }],
  ["bytes=5-400", { offset: 5, length: 5 }],
  ["bytes=10-", null],
  ["bytes=-0", null],
  ["bytes=5-2", undefined],
  ["bytes=0-1,3-4", undefined],
  ["lines=1-2", undefined],
  ["bytes=-", undefined],
])("%s of ten bytes", (header, part) => {
  expect(byteRange(header, 10)).toEqual(part);
});

test("an empty file has no part", () => {
  expect(byteRange("bytes=0-", 0)).toBeNull();
});
