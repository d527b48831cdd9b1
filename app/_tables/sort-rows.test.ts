import { expect, test } from "vitest";
import { isNumeric, sortRows } from "./sort-rows.ts";

const column = (rows: string[][]) => rows.map(([cell]) => cell);

test("numbers are sorted as numbers, and empty cells stay last", () => {
  const rows = [["10"], [""], ["-2.5"], ["1e3"], ["9"]];
  expect(column(sortRows(rows, { column: 0, descending: false }))).toEqual(["-2.5", "9", "10", "1e3", ""]);
  expect(column(sortRows(rows, { column: 0, descending: true }))).toEqual(["1e3", "10", "9", "-2.5", ""]);
});

test("text is sorted as people read it", () => {
  const rows = [["item 10"], ["Item 2"], ["apple"]];
  expect(column(sortRows(rows, { column: 0, descending: false }))).toEqual(["apple", "Item 2", "item 10"]);
});

test("a column is numeric if all that is in it is", () => {
  expect(isNumeric([["1"], [""], ["nan"]], 0)).toBe(true);
  expect(isNumeric([["1"], ["x"]], 0)).toBe(false);
  expect(isNumeric([[""]], 0)).toBe(false);
});
