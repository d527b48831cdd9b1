import { expect, test } from "vitest";
import { foldText, inertText } from "./terminal-text.ts";

test.each([
  ["\x1b[31mred\x1b[0m", "red"],
  ["\x1b[2J\x1b[Hcleared", "cleared"],
  ["\x1b]0;a title\x07text", "text"],
  ["\x1b]8;;https://evil.example\x1b\\link\x1b]8;;\x1b\\", "link"],
  ["bell\x07 and nul\x00", "bell\ufffd and nul\ufffd"],
  ["10%\r50%\r100%\ndone\r\n", "100%\ndone\n"],
  ["tab\tstays, so does é and 🐚", "tab\tstays, so does é and 🐚"],
  ["cut in the middle of \x1b[3", "cut in the middle of 3"],
])("%j is shown as %j", (text, shown) => {
  expect(inertText(text)).toBe(shown);
});

test("a long run of escapes takes no time to speak of", () => {
  expect(inertText("\x1b]".repeat(50_000)).length).toBeLessThan(10);
  expect(inertText("\x1b[31m".repeat(200_000))).toBe("");
});

const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}`).join("\n");

test("a short text is shown whole", () => {
  expect(foldText(lines(45), { open: false, live: false })).toEqual({ text: lines(45), hidden: 0 });
});

test("a long text keeps both ends and says how much is between them", () => {
  const { text, hidden } = foldText(lines(1000), { open: false, live: false });
  expect(hidden).toBe(960);
  expect(text).toMatch(/^line 1\n/);
  expect(text).toContain("⋯ 960 lines ⋯");
  expect(text).toMatch(/line 1000$/);
  expect(foldText(lines(1000), { open: true, live: false }).text).toBe(lines(1000));
});

test("a text that still grows shows its end", () => {
  const { text } = foldText(lines(1000), { open: false, live: true });
  expect(text).toMatch(/^line 801\n/);
  expect(text).toMatch(/line 1000$/);
});

test("one endless line is shortened, too", () => {
  expect(foldText("x".repeat(10_000_000), { open: true, live: false }).text.length).toBeLessThan(500_000);
});
