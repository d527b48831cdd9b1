import { expect, test } from "vitest";
import { byteRange } from "./byte-range.ts";
import { contentDisposition } from "./content-disposition.ts";

test.each([
  [null, 10, "all"],
  ["bytes=0-4", 10, { start: 0, end: 4 }],
  ["bytes=5-", 10, { start: 5, end: 9 }],
  ["bytes=-3", 10, { start: 7, end: 9 }],
  ["bytes=-30", 10, { start: 0, end: 9 }],
  ["bytes=8-99", 10, { start: 8, end: 9 }],
  ["bytes=10-", 10, "unsatisfiable"],
  ["bytes=-0", 10, "unsatisfiable"],
  ["bytes=0-0", 0, "unsatisfiable"],
  ["bytes=5-2", 10, "all"],
  ["bytes=0-1,3-4", 10, "all"],
  ["bytes=a-b", 10, "all"],
  ["lines=0-4", 10, "all"],
  ["bytes=-", 10, "all"],
  ["bytes=99999999999999999999-", 10, "unsatisfiable"],
] as const)("%s of %d bytes is %j", (header, size, wanted) => {
  expect(byteRange(header, size)).toEqual(wanted);
});

test.each([
  ["plot.png", 'inline; filename="plot.png"'],
  ["a b;c=d.txt", 'inline; filename="a b;c=d.txt"'],
  ['"quoted".txt', `inline; filename="_quoted_.txt"; filename*=UTF-8''%22quoted%22.txt`],
  ["日本.csv", `inline; filename="__.csv"; filename*=UTF-8''%E6%97%A5%E6%9C%AC.csv`],
  ["it's (1)*.txt", `inline; filename="it's (1)*.txt"`],
  ["é's.txt", `inline; filename="_'s.txt"; filename*=UTF-8''%C3%A9%27s.txt`],
  ["a\r\nSet-Cookie: x", `inline; filename="a__Set-Cookie: x"`],
  ["../../etc/passwd", 'inline; filename=".._.._etc_passwd"'],
  ["\ud800.txt", `inline; filename="_.txt"; filename*=UTF-8''%EF%BF%BD.txt`],
])("%j is offered for saving by a header that can't be broken out of", (name, wanted) => {
  expect(contentDisposition("inline", name)).toBe(wanted);
});
