import { expect, test } from "vitest";
import { safeNext } from "./safe-next.ts";

test.each(["/settings/tokens", "/chat/1?x=2#y", "/"])("%s is a path of ours", (path) => {
  expect(safeNext(path)).toBe(path);
});

test.each([
  "https://evil.example",
  "//evil.example",
  "/\\evil.example",
  "\\\\evil.example",
  "/\t/evil.example",
  "javascript:alert(1)",
  "",
  undefined,
  ["/chat"],
])("%s leads to the start page instead", (path) => {
  expect(safeNext(path)).toBe("/chat");
});
