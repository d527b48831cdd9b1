import { expect, test } from "vitest";
import { formatBytes } from "./format-bytes.ts";

test.each([
  [0, "0 B"],
  [999, "999 B"],
  [1000, "1.0 kB"],
  [9_949, "9.9 kB"],
  [9_960, "10 kB"],
  [999_499, "999 kB"],
  [999_500, "1.0 MB"],
  [64 * 2 ** 20, "67 MB"],
  [100e9, "100 GB"],
  [5e15, "5000 TB"],
])("%d bytes are %s", (bytes, words) => {
  expect(formatBytes(bytes)).toBe(words);
});
