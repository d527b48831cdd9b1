import { expect, test } from "vitest";
import { callQueue } from "./call-queue.ts";

function gate() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { wait: () => promise, open: resolve };
}

test("only so many operations are with the engine at once", async () => {
  const queue = callQueue(2);
  let running = 0;
  let most = 0;
  const operation = async () => {
    most = Math.max(most, ++running);
    await new Promise(setImmediate);
    running--;
  };
  await Promise.all(Array.from({ length: 10 }, () => queue.run(operation)));
  expect(most).toBe(2);
});

test("what a user waits for goes before what is done ahead of need", async () => {
  const queue = callQueue(1);
  const busy = gate();
  const order: string[] = [];
  const all = [
    queue.run(busy.wait),
    queue.run(async () => order.push("pool"), "background"),
    queue.run(async () => order.push("user")),
  ];
  busy.open();
  await Promise.all(all);
  expect(order).toEqual(["user", "pool"]);
});

test("an operation that fails makes room for the next", async () => {
  const queue = callQueue(1);
  await expect(queue.run(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
  await expect(queue.run(async () => "yes")).resolves.toBe("yes");
});
