import { setTimeout as sleep } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { silentLogger } from "../logger.ts";
import { warmPool } from "./warm-pool.ts";

const retryMs = { first: 5, longest: 20 };

function poolOf(size: number, make: () => Promise<string>) {
  const offered: string[] = [];
  const offer = async (id: string) => void offered.push(id);
  return { offered, pool: warmPool({ size, make, offer, log: silentLogger, retryMs }) };
}

function numbered() {
  let made = 0;
  return vi.fn(async () => `s${++made}`);
}

test("it fills up to its size, one after the other, and offers each", async () => {
  const { pool, offered } = poolOf(2, numbered());
  pool.refill();
  await vi.waitFor(() => expect(pool.ids()).toEqual(["s1", "s2"]));
  expect(offered).toEqual(["s1", "s2"]);
});

test("a sandbox is counted before it can be claimed", async () => {
  const pool = warmPool({
    size: 1,
    make: async () => "s1",
    offer: async (id) => expect(pool.take(id)).toBe(true),
    log: silentLogger,
  });
  pool.refill();
  await vi.waitFor(() => expect(pool.ids()).toEqual([]));
  await pool.close();
});

test("what was taken is replaced", async () => {
  const { pool } = poolOf(2, numbered());
  pool.refill();
  await vi.waitFor(() => expect(pool.full()).toBe(true));
  expect(pool.take("s1")).toBe(true);
  expect(pool.take("s1")).toBe(false);
  pool.refillSoon();
  await vi.waitFor(() => expect(pool.ids()).toEqual(["s2", "s3"]));
});

test("asking many times makes no more than needed", async () => {
  const make = numbered();
  const { pool } = poolOf(2, make);
  for (let i = 0; i < 10; i++) pool.refill();
  await vi.waitFor(() => expect(pool.full()).toBe(true));
  await pool.close();
  expect(make).toHaveBeenCalledTimes(2);
});

test("a failure is retried later, however often a refill is asked for, and never in a storm", async () => {
  const make = vi.fn(() => Promise.reject(new Error("no image")));
  const { pool } = poolOf(1, make);
  const until = Date.now() + 100;
  while (Date.now() < until) {
    pool.refill();
    await sleep(1);
  }
  expect(make.mock.calls.length).toBeGreaterThan(1);
  expect(make.mock.calls.length).toBeLessThan(10);
  await pool.close();
});

test("once closed it makes nothing", async () => {
  const make = numbered();
  const { pool } = poolOf(1, make);
  await pool.close();
  pool.refill();
  expect(make).not.toHaveBeenCalled();
});
