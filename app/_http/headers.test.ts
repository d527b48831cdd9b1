import { expect, test } from "vitest";
import { byteRange, contentDisposition } from "./headers.ts";

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

test.each([
  ["plot.png", `attachment; filename="plot.png"; filename*=UTF-8''plot.png`],
  ["Übersicht 1.csv", `attachment; filename="_bersicht 1.csv"; filename*=UTF-8''%C3%9Cbersicht%201.csv`],
  ['a"; x="b', `attachment; filename="a_; x=_b"; filename*=UTF-8''a%22%3B%20x%3D%22b`],
  ["a\r\nset-cookie: b", `attachment; filename="a__set-cookie: b"; filename*=UTF-8''a__set-cookie%3A%20b`],
  ["\udcff.txt", `attachment; filename="_.txt"; filename*=UTF-8''%EF%BF%BD.txt`],
  ["\u202egpj.exe", `attachment; filename="_gpj.exe"; filename*=UTF-8''_gpj.exe`],
  ["it's (1)*", `attachment; filename="it's (1)*"; filename*=UTF-8''it%27s%20%281%29%2A`],
])("a file called %j", (name, header) => {
  expect(contentDisposition(name)).toBe(header);
});
