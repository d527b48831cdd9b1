import { expect, test } from "vitest";
import { byDate } from "./by-date.ts";

const now = new Date(2026, 10, 16, 12);
const at = (...date: [number, number, number, number?]) => ({
  id: date.join("-"),
  title: "",
  running: false,
  updatedAt: new Date(...(date as [number, number, number])).toISOString(),
});

test("conversations stand under the name of their day, in the order they came", () => {
  const items = [
    at(2026, 10, 16),
    at(2026, 10, 15),
    at(2026, 10, 12),
    at(2026, 10, 10),
    at(2026, 9, 30),
    at(2026, 2, 3),
    at(2026, 2, 1),
  ];
  expect(byDate(items, now).map(({ label, items }) => [label, items.length])).toEqual([
    ["Today", 1],
    ["Yesterday", 1],
    ["Last 7 days", 2],
    ["Last 30 days", 1],
    ["March 2026", 2],
  ]);
});
