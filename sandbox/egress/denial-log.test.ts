import { expect, test } from "vitest";
import { denialLog } from "./denial-log.ts";

const denial = { host: "a.example", port: 443, reason: "host_not_allowed", message: "No." } as const;

test("the same denial is one entry with a count, and users see only their own", () => {
  const log = denialLog(() => 5);
  expect(log.add("a", denial)).toBe(1);
  expect(log.add("a", denial)).toBe(2);
  expect(log.since("a", 0)).toEqual([{ ...denial, count: 2, lastMs: 5 }]);
  expect(log.since("b", 0)).toEqual([]);
});

test("a run sees what was denied since it began", () => {
  let now = 1;
  const log = denialLog(() => now);
  log.add("a", denial);
  now = 10;
  log.add("a", { ...denial, host: "b.example" });
  expect(log.since("a", 5).map(({ host }) => host)).toEqual(["b.example"]);
});

test("what is forgotten is said to be, to the runs it belongs to", () => {
  let now = 1;
  const log = denialLog(() => now);
  const addMany = (from: number) => {
    for (let n = from; n < from + 100; n++) log.add("a", { ...denial, host: `${n}.example` });
  };
  addMany(0);
  expect(log.since("a", 0).map(({ host }) => host)).not.toContain("*");
  now = 10;
  addMany(100);
  // What was forgotten is older than this run, and all of its own is there.
  expect(log.since("a", 10).map(({ host }) => host)).not.toContain("*");
  addMany(200);
  expect(log.since("a", 10)[0]).toMatchObject({
    host: "*",
    reason: "unlisted",
    message: expect.stringContaining("More was refused than can be listed"),
  });
});

test("a program that makes up names fills no memory", () => {
  const log = denialLog();
  for (let n = 0; n < 1000; n++) log.add("a", { ...denial, host: `${n}.example` });
  const listed = log.since("a", 0);
  expect(listed).toHaveLength(101);
  expect(listed.at(-1)?.host).toBe("999.example");
});
