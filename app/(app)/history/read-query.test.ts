import { expect, test } from "vitest";
import { pageBefore, readQuery } from "./read-query.ts";

const NOW = Date.UTC(2026, 10, 16, 12);

test("filters are read from the address", () => {
  const conversation = "0198f0a0-0000-7000-8000-000000000000";
  const params = { q: "pandas", door: "chat", tool: "execute_bash", status: "oom", time: "7d", conversation };
  expect(readQuery(params, NOW)).toEqual({
    query: {
      text: "pandas",
      door: "chat",
      tool: "execute_bash",
      status: "oom",
      conversationId: conversation,
      from: new Date(NOW - 7 * 24 * 3_600_000),
    },
    thorough: false,
    filtered: true,
  });
});

test("a place in the list holds for the filters it was found with", () => {
  const before = "0198f0a0-0000-7000-8000-000000000000";
  const { searchParams } = new URL(pageBefore({ door: "chat" }, before, true), "http://cove.invalid");
  const params = Object.fromEntries(searchParams);
  expect(readQuery(params, NOW)).toMatchObject({ before, thorough: true });
  expect(readQuery({ ...params, status: "failed" }, NOW).before).toBeUndefined();
});

test("a day is from midnight to midnight, in UTC", () => {
  expect(readQuery({ time: "2026-11-15" }, NOW)).toMatchObject({
    day: "2026-11-15",
    query: { from: new Date("2026-11-15T00:00:00Z"), to: new Date("2026-11-16T00:00:00Z") },
  });
});

test.each([
  { door: "constructor" },
  { status: "__proto__" },
  { tool: "a'; drop table" },
  { time: "2026-99-99" },
  { time: "toString" },
  { conversation: "1" },
  { before: "1" },
  { q: ["a", "b"] },
  { q: "" },
])("%j is no filter", (params) => {
  expect(readQuery(params, NOW)).toEqual({ query: {}, thorough: false, filtered: false });
});
