import { expect, test } from "vitest";
import { AlreadyOwned, memoryOwnership } from "./ownership.ts";

const uids = { first: 20_000, last: 20_002 };

test("every sandbox gets the lowest uid that no other has", async () => {
  const ownership = memoryOwnership();
  const made = [await ownership.create("a", uids, null), await ownership.create("b", uids, "ann")];
  expect(made.map((record) => record.uid)).toEqual([20_000, 20_001]);
  await ownership.remove("a");
  expect((await ownership.create("c", uids, null)).uid).toBe(20_000);
});

test("when the range is used up, creating says so", async () => {
  const ownership = memoryOwnership();
  for (const id of ["a", "b", "c"]) await ownership.create(id, uids, null);
  await expect(ownership.create("d", uids, null)).rejects.toMatchObject({ code: "too_many_sandboxes" });
});

test("a sandbox can be claimed only once it is offered, and by one user only", async () => {
  const ownership = memoryOwnership();
  await ownership.create("a", uids, null);
  expect(await ownership.claim("ann")).toBeUndefined();
  await ownership.offer("a");
  const claims = await Promise.all([ownership.claim("ann"), ownership.claim("bob")]);
  expect(claims.map((record) => record?.id)).toEqual(["a", undefined]);
  expect((await ownership.find("ann"))?.id).toBe("a");
});

test("a user who claims again gets the same sandbox", async () => {
  const ownership = memoryOwnership();
  for (const id of ["a", "b"]) {
    await ownership.create(id, uids, null);
    await ownership.offer(id);
  }
  expect([(await ownership.claim("ann"))?.id, (await ownership.claim("ann"))?.id]).toEqual(["a", "a"]);
});

test("a sandbox that was withdrawn is not handed out, one that was claimed can't be withdrawn", async () => {
  const ownership = memoryOwnership();
  for (const id of ["a", "b"]) {
    await ownership.create(id, uids, null);
    await ownership.offer(id);
  }
  expect(await ownership.withdraw("a")).toBe(true);
  expect((await ownership.claim("ann"))?.id).toBe("b");
  expect(await ownership.withdraw("b")).toBe(false);
});

test("a user can't be given a second sandbox", async () => {
  const ownership = memoryOwnership();
  await ownership.create("a", uids, "ann");
  await expect(ownership.create("b", uids, "ann")).rejects.toThrow(AlreadyOwned);
});
