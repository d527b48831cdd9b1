import fc from "fast-check";
import { expect, test } from "vitest";
import { isWorkspacePath, nameOf, parentOf, pathFromText, pathToText } from "./workspace-path.ts";

const names = fc
  .array(
    fc.oneof(
      fc.constantFrom("\\", "x", "80", "\\x80", "\udc80", "\udcff", "\u202e", "\n", "é", "🐚"),
      fc.string(),
    ),
  )
  .map((parts) => parts.join(""));

test("any name comes back from an address as it was", () => {
  fc.assert(
    fc.property(names, (name) => {
      const address = new URLSearchParams({ path: pathToText(name) }).toString();
      expect(pathFromText(new URLSearchParams(address).get("path") ?? "")).toBe(name);
    }),
  );
});

test.each(["..", "a/..", "a/../b", "./a", "/a", "a/", "a//b", "a\0b"])(
  "%j is no path of the workspace",
  (path) => {
    expect(isWorkspacePath(path)).toBe(false);
  },
);

test.each(["", "a", "a/b", "..a", "-rf", "a\nb", "\udcff"])("%j is a path of the workspace", (path) => {
  expect(isWorkspacePath(path)).toBe(true);
});

test("the parent of a name at the top is the workspace", () => {
  expect([parentOf("a"), nameOf("a"), parentOf("a/b/c"), nameOf("a/b/c")]).toEqual(["", "a", "a/b", "c"]);
});
