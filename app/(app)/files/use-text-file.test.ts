import { expect, test } from "vitest";
import { endingsOf } from "./use-text-file.ts";

test.each([
  ["", "\n"],
  ["one\ntwo\n", "\n"],
  ["one\r\ntwo\r\n", "\r\n"],
  ["one\r\ntwo\n", "\n"],
  ["\r\n\r\n", "\r\n"],
])("%j ends its lines with %j", (text, endings) => {
  expect(endingsOf(text)).toBe(endings);
});
