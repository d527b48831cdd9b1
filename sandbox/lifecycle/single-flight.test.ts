import { expect, test, vi } from "vitest";
import { singleFlight } from "./single-flight.ts";

test("those who ask at the same time share one attempt, later ones get another", async () => {
  const start = vi.fn(async () => Math.random());
  const run = singleFlight<number>();
  const [first, second] = await Promise.all([run("ann", start), run("ann", start)]);
  expect(first).toBe(second);
  await run("ann", start);
  expect(start).toHaveBeenCalledTimes(2);
});

test("a failure is shared and then forgotten", async () => {
  const run = singleFlight<string>();
  const fail = () => Promise.reject(new Error("no"));
  const results = await Promise.allSettled([run("ann", fail), run("ann", fail)]);
  expect(results.map((result) => result.status)).toEqual(["rejected", "rejected"]);
  await expect(run("ann", async () => "yes")).resolves.toBe("yes");
});
