import { expect, test } from "vitest";
import { durationText } from "./duration.tsx";

test.each([
  [0, "0 ms"],
  [12.4, "12 ms"],
  [3420, "3.4 s"],
  [9990, "10 s"],
  [59_900, "1 min"],
  [125_000, "2 min 5 s"],
  [3_720_000, "1 h 2 min"],
])("%d ms is %s", (ms, text) => {
  expect(durationText(ms)).toBe(text);
});
