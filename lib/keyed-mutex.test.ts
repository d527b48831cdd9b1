import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { KeyedMutex } from "./keyed-mutex.ts";

test("what has one key is done one by one, in order, and another key waits for none of it", async () => {
  const mutex = new KeyedMutex();
  const steps: string[] = [];
  const step = (key: string, name: string, ms: number) =>
    mutex.run(key, async () => {
      steps.push(`${name} begins`);
      await sleep(ms);
      steps.push(`${name} ends`);
    });
  await Promise.all([step("a", "first", 20), step("a", "second", 0), step("b", "other", 0)]);
  expect(steps).toEqual([
    "first begins",
    "other begins",
    "other ends",
    "first ends",
    "second begins",
    "second ends",
  ]);
});

test("one that fails tells its caller and stops nobody", async () => {
  const mutex = new KeyedMutex();
  const failing = mutex.run("a", () => Promise.reject(new Error("no")));
  const next = mutex.run("a", async () => 2);
  await expect(failing).rejects.toThrow("no");
  expect(await next).toBe(2);
  await mutex.idle("a");
});
