import { expect, test } from "vitest";
import { Queue, queuePerKey } from "./queue.ts";

function gate() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { wait: () => promise, open: resolve };
}

test("only so many are at work at once", async () => {
  const queue = new Queue(2);
  let running = 0;
  let most = 0;
  const work = async () => {
    most = Math.max(most, ++running);
    await new Promise(setImmediate);
    running--;
  };
  await Promise.all(Array.from({ length: 10 }, () => queue.run(work)));
  expect(most).toBe(2);
  expect(queue.empty).toBe(true);
});

test("what a user waits for goes before what is done ahead of need", async () => {
  const queue = new Queue(1);
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

test("a failure is its own caller's, and makes room for the next", async () => {
  const queue = new Queue();
  const failing = queue.run(() => Promise.reject(new Error("no")));
  const next = queue.run(async () => "yes");
  await expect(failing).rejects.toThrow("no");
  await expect(next).resolves.toBe("yes");
});

test("work on one thing is done in order, work on another isn't held up", async () => {
  const inOrder = queuePerKey();
  const busy = gate();
  const done: string[] = [];
  const work = [
    inOrder("ann", () => busy.wait().then(() => done.push("ann1"))),
    inOrder("ann", async () => done.push("ann2")),
  ];
  await inOrder("bob", async () => done.push("bob1"));
  busy.open();
  await Promise.all(work);
  expect(done).toEqual(["bob1", "ann1", "ann2"]);
});

test("a failure with one thing doesn't end the work on it", async () => {
  const inOrder = queuePerKey();
  const failing = inOrder("ann", () => Promise.reject(new Error("no")));
  const next = inOrder("ann", async () => "yes");
  await expect(failing).rejects.toThrow("no");
  await expect(next).resolves.toBe("yes");
});

test("whoever comes while the one before is leaving works alone, too", async () => {
  const inOrder = queuePerKey();
  let running = 0;
  const work = async () => {
    expect(++running).toBe(1);
    await Promise.resolve();
    running--;
  };
  for (let round = 0; round < 50; round++) {
    const first = inOrder("ann", work);
    // Each comes another few steps of the event loop later.
    for (let step = 0; step < round % 10; step++) await Promise.resolve();
    await Promise.all([first, inOrder("ann", work), inOrder("ann", work)]);
  }
  expect(running).toBe(0);
});
