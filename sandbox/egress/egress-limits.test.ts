import { expect, test } from "vitest";
import { egressLimits } from "./egress-limits.ts";

const rules = {
  connections: 2,
  totalConnections: 3,
  perSecond: 100,
  burst: 5,
  bytes: 1000,
  windowMs: 60_000,
};
const never = new AbortController().signal;

test("a user's connections are capped, and a place given back can be had again", () => {
  const limits = egressLimits(rules);
  const first = limits.enter("a");
  limits.enter("a");
  expect(() => limits.enter("a")).toThrow(/Too many connections/);
  first.release();
  first.release();
  limits.enter("a");
  expect(() => limits.enter("a")).toThrow(/Too many connections/);
});

test("one user's cap leaves room for another, up to what the server has", () => {
  const limits = egressLimits(rules);
  limits.enter("a");
  limits.enter("a");
  limits.enter("b");
  expect(() => limits.enter("b")).toThrow(/server has no more/);
});

test("bytes are counted over all connections of a window, and the next window begins anew", () => {
  let now = 0;
  const limits = egressLimits(rules, () => now);
  const first = limits.enter("a");
  const second = limits.enter("a");
  first.count(600);
  expect(() => second.count(600)).toThrow(/used up/);
  first.release();
  second.release();
  expect(() => limits.enter("a")).toThrow(/1 min/);
  limits.enter("b").count(1000);
  now = 60_001;
  limits.enter("a").count(1000);
});

test("a burst goes through at once, what exceeds it is paced", async () => {
  let now = 0;
  const limits = egressLimits({ ...rules, perSecond: 1, burst: 5 }, () => now);
  const place = limits.enter("a");
  const gone = AbortSignal.abort();
  // A moment that has come takes no time at all, so nobody has left meanwhile.
  for (let n = 0; n < 5; n++) await place.pace(gone);
  await expect(place.pace(gone)).rejects.toThrow();
  now = 1000;
  await place.pace(gone);
  await expect(place.pace(gone)).rejects.toThrow();
});

test("who leaves while waiting is not kept", async () => {
  const limits = egressLimits({ ...rules, perSecond: 0.01, burst: 1 });
  const place = limits.enter("a");
  await place.pace(never);
  await expect(place.pace(AbortSignal.timeout(10))).rejects.toThrow();
});

test("who leaves while waiting makes nobody else wait longer", async () => {
  const limits = egressLimits({ ...rules, perSecond: 10, burst: 1 });
  const place = limits.enter("a");
  const gone = AbortSignal.timeout(1);
  await place.pace(never);
  await Promise.allSettled(Array.from({ length: 50 }, () => place.pace(gone)));
  const begun = performance.now();
  await place.pace(never);
  expect(performance.now() - begun).toBeLessThan(4000);
});
