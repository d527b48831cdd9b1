import { expect, test } from "vitest";
import { conflictBetween } from "./edit-text.ts";

test("a file that is as it was seen is saved", () => {
  expect(conflictBetween("hash", "hash")).toBeUndefined();
  expect(conflictBetween(null, null)).toBeUndefined();
});

test.each([
  ["one that changed", "old", "new", "changed"],
  ["one that is gone", "old", null, "gone"],
  ["a new one whose name is taken", null, "new", "exists"],
] as const)("%s is a conflict that says so", (_which, seen, now, reason) => {
  expect(conflictBetween(seen, now)).toMatchObject({ code: "conflict", status: 409, details: { reason } });
});
