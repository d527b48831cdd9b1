import { expect, test } from "vitest";
import { inertText } from "./inert-text.ts";

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
