import fc from "fast-check";
import { expect, test } from "vitest";
import { delimiterOf, parseDelimited } from "./parse-delimited.ts";

test.each([
  [
    "a,b\n1,2\n",
    [
      ["a", "b"],
      ["1", "2"],
    ],
  ],
  [
    "a,b\r\n1,2",
    [
      ["a", "b"],
      ["1", "2"],
    ],
  ],
  ['"a,1","b ""x""","c\nd"\n', [["a,1", 'b "x"', "c\nd"]]],
  [
    "\ufeffa,\n,b",
    [
      ["a", ""],
      ["", "b"],
    ],
  ],
  ["a,", [["a", ""]]],
  ["", []],
  ['"never closed,1\n2', [["never closed,1\n2"]]],
])("%j", (text, rows) => {
  expect(parseDelimited(text, ",")).toEqual(rows);
});

test("whatever it is given, it ends, and loses no plain cell", () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(fc.stringMatching(/^[a-z]{1,5}$/), { minLength: 1 }), { minLength: 1 }),
      (rows) => {
        expect(parseDelimited(rows.map((row) => row.join(",")).join("\n"), ",")).toEqual(rows);
      },
    ),
  );
  fc.assert(fc.property(fc.string(), (text) => Array.isArray(parseDelimited(text, ","))));
});

test("only as many rows as asked for", () => {
  expect(parseDelimited("1\n2\n3\n", ",", 2)).toEqual([["1"], ["2"]]);
});

test("the delimiter is the one the first line uses", () => {
  expect(delimiterOf("a;b;c\n1,5;2;3", "text/csv")).toBe(";");
  expect(delimiterOf("a,b", "text/csv")).toBe(",");
  expect(delimiterOf("a,b", "text/tab-separated-values")).toBe("\t");
});
