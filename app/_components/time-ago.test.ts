import { expect, test } from "vitest";
import { ago } from "./time-ago.tsx";

const now = new Date("2026-11-16T12:00:00Z");

test.each([
  ["2026-11-16T11:59:30Z", "just now"],
  ["2026-11-16T11:58:59Z", "1 minute ago"],
  ["2026-11-16T09:00:00Z", "3 hours ago"],
  ["2026-11-15T11:00:00Z", "yesterday"],
  ["2026-12-16T12:00:00Z", "next month"],
  ["2024-11-10T12:00:00Z", "2 years ago"],
])("%s is %s", (at, text) => {
  expect(ago(new Date(at), now)).toBe(text);
});
