import { expect, test } from "vitest";
import { fairQueue } from "./fair-queue.ts";

/** Enters the queue and writes down when it was admitted. */
function visitors(queue: ReturnType<typeof fairQueue>) {
  const admitted: string[] = [];
  const releases: (() => void)[] = [];
  const enter = (userId: string, name: string) =>
    queue.enter(userId).then((release) => {
      admitted.push(name);
      releases.push(release);
    });
  const releaseOldest = async () => {
    releases.shift()?.();
    await new Promise(setImmediate);
  };
  return { admitted, enter, releaseOldest };
}

test("a user runs so many at once, the next one waits for a place", async () => {
  const { admitted, enter, releaseOldest } = visitors(
    fairQueue({ perUser: 2, total: 10, waitingPerUser: 5 }),
  );
  for (const name of ["1", "2", "3"]) void enter("ann", name);
  await new Promise(setImmediate);
  expect(admitted).toEqual(["1", "2"]);
  await releaseOldest();
  expect(admitted).toEqual(["1", "2", "3"]);
});

test("when all places are taken, users are served in rotation however many calls of theirs wait", async () => {
  const { admitted, enter, releaseOldest } = visitors(fairQueue({ perUser: 8, total: 1, waitingPerUser: 9 }));
  for (const name of ["ann1", "ann2", "ann3", "ann4"]) void enter("ann", name);
  for (const name of ["bob1", "bob2"]) void enter("bob", name);
  void enter("cat", "cat1");
  await new Promise(setImmediate);
  for (let i = 0; i < 6; i++) await releaseOldest();
  expect(admitted).toEqual(["ann1", "ann2", "bob1", "cat1", "ann3", "bob2", "ann4"]);
});

test("only a full queue of one's own is refused, with a time to come back", async () => {
  const queue = fairQueue({ perUser: 1, total: 1, waitingPerUser: 1 });
  await queue.enter("ann");
  void queue.enter("ann");
  await expect(queue.enter("ann")).rejects.toMatchObject({
    code: "queue_full",
    retryAfterMs: expect.any(Number),
  });
  const bob = queue.enter("bob");
  await expect(Promise.race([bob, Promise.resolve("waits")])).resolves.toBe("waits");
});

test("who stops waiting leaves the queue to the others", async () => {
  const queue = fairQueue({ perUser: 1, total: 1, waitingPerUser: 5 });
  const release = await queue.enter("ann");
  const giveUp = new AbortController();
  const gone = queue.enter("ann", giveUp.signal);
  const next = queue.enter("ann");
  giveUp.abort(new Error("changed my mind"));
  await expect(gone).rejects.toThrow("changed my mind");
  release();
  await expect(next).resolves.toBeTypeOf("function");
});

test("giving a place back twice frees one place", async () => {
  const queue = fairQueue({ perUser: 2, total: 2, waitingPerUser: 5 });
  const release = await queue.enter("ann");
  await queue.enter("ann");
  release();
  release();
  expect(queue.running()).toBe(1);
});

test("who leaves before they are admitted is forgotten, as is who was refused", async () => {
  const queue = fairQueue({ perUser: 1, total: 1, waitingPerUser: 1 });
  const release = await queue.enter("ann");
  const leaving = new AbortController();
  const waiting = queue.enter("bob", leaving.signal);
  expect(queue.users()).toBe(2);
  leaving.abort();
  await expect(waiting).rejects.toThrow();
  expect(queue.users()).toBe(1);
  const strict = fairQueue({ perUser: 1, total: 0, waitingPerUser: 0 });
  await expect(strict.enter("cat")).rejects.toMatchObject({ code: "queue_full" });
  expect(strict.users()).toBe(0);
  release();
  expect(queue.users()).toBe(0);
});
