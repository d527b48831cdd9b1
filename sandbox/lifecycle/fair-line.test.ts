import { expect, test } from "vitest";
import { fairLine } from "./fair-line.ts";

/** Enters the line and writes down when it was admitted. */
function visitors(line: ReturnType<typeof fairLine>) {
  const admitted: string[] = [];
  const releases: (() => void)[] = [];
  const enter = (userId: string, name: string) =>
    line.enter(userId).then((release) => {
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
  const { admitted, enter, releaseOldest } = visitors(fairLine({ perUser: 2, total: 10, waitingPerUser: 5 }));
  for (const name of ["1", "2", "3"]) void enter("ann", name);
  await new Promise(setImmediate);
  expect(admitted).toEqual(["1", "2"]);
  await releaseOldest();
  expect(admitted).toEqual(["1", "2", "3"]);
});

test("when all places are taken, users take turns whatever the length of their lines", async () => {
  const { admitted, enter, releaseOldest } = visitors(fairLine({ perUser: 8, total: 1, waitingPerUser: 9 }));
  for (const name of ["ann1", "ann2", "ann3", "ann4"]) void enter("ann", name);
  for (const name of ["bob1", "bob2"]) void enter("bob", name);
  void enter("cat", "cat1");
  await new Promise(setImmediate);
  for (let i = 0; i < 6; i++) await releaseOldest();
  expect(admitted).toEqual(["ann1", "ann2", "bob1", "cat1", "ann3", "bob2", "ann4"]);
});

test("only a full line of one's own is refused, with a time to come back", async () => {
  const line = fairLine({ perUser: 1, total: 1, waitingPerUser: 1 });
  await line.enter("ann");
  void line.enter("ann");
  await expect(line.enter("ann")).rejects.toMatchObject({
    code: "queue_full",
    retryAfterMs: expect.any(Number),
  });
  const bob = line.enter("bob");
  await expect(Promise.race([bob, Promise.resolve("waits")])).resolves.toBe("waits");
});

test("who stops waiting leaves the line to the others", async () => {
  const line = fairLine({ perUser: 1, total: 1, waitingPerUser: 5 });
  const release = await line.enter("ann");
  const giveUp = new AbortController();
  const gone = line.enter("ann", giveUp.signal);
  const next = line.enter("ann");
  giveUp.abort(new Error("changed my mind"));
  await expect(gone).rejects.toThrow("changed my mind");
  release();
  await expect(next).resolves.toBeTypeOf("function");
});

test("giving a place back twice frees one place", async () => {
  const line = fairLine({ perUser: 2, total: 2, waitingPerUser: 5 });
  const release = await line.enter("ann");
  await line.enter("ann");
  release();
  release();
  expect(line.running()).toBe(1);
});

test("who leaves before their turn is forgotten, as is who was refused", async () => {
  const line = fairLine({ perUser: 1, total: 1, waitingPerUser: 1 });
  const release = await line.enter("ann");
  const leaving = new AbortController();
  const waiting = line.enter("bob", leaving.signal);
  expect(line.users()).toBe(2);
  leaving.abort();
  await expect(waiting).rejects.toThrow();
  expect(line.users()).toBe(1);
  const strict = fairLine({ perUser: 1, total: 0, waitingPerUser: 0 });
  await expect(strict.enter("cat")).rejects.toMatchObject({ code: "queue_full" });
  expect(strict.users()).toBe(0);
  release();
  expect(line.users()).toBe(0);
});
