import { expect, test } from "vitest";
import { folded } from "./folded.ts";

const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}`).join("\n");

test("a short text is shown whole", () => {
  expect(folded(lines(45), { open: false, live: false })).toEqual({ text: lines(45), hidden: 0 });
});

test("a long text keeps both ends and says how much is between them", () => {
  const { text, hidden } = folded(lines(1000), { open: false, live: false });
  expect(hidden).toBe(960);
  expect(text).toMatch(/^line 1\n/);
  expect(text).toContain("⋯ 960 lines ⋯");
  expect(text).toMatch(/line 1000$/);
  expect(folded(lines(1000), { open: true, live: false }).text).toBe(lines(1000));
});

test("a text that still grows shows its end", () => {
  const { text } = folded(lines(1000), { open: false, live: true });
  expect(text).toMatch(/^line 801\n/);
  expect(text).toMatch(/line 1000$/);
});

test("one endless line is shortened, too", () => {
  expect(folded("x".repeat(10_000_000), { open: true, live: false }).text.length).toBeLessThan(500_000);
});
