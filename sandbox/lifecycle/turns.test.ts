import { expect, test } from "vitest";
import { turns } from "./turns.ts";

test("work on one thing is done in order, work on another isn't held up", async () => {
  const inTurn = turns();
  const done: string[] = [];
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  const work = [
    inTurn("ann", () => opened.then(() => done.push("ann1"))),
    inTurn("ann", async () => done.push("ann2")),
  ];
  await inTurn("bob", async () => done.push("bob1"));
  open();
  await Promise.all(work);
  expect(done).toEqual(["bob1", "ann1", "ann2"]);
});

test("a failure is its own caller's, and the next one has its turn", async () => {
  const inTurn = turns();
  const failing = inTurn("ann", () => Promise.reject(new Error("no")));
  const next = inTurn("ann", async () => "yes");
  await expect(failing).rejects.toThrow("no");
  await expect(next).resolves.toBe("yes");
});
