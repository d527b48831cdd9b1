import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { sandboxes, users } from "#db/schema.ts";
import { AlreadyOwned } from "#sandbox/index.ts";
import { ownDatabase } from "#tests/support/own-database.ts";
import { addUser } from "../accounts/sign-up.ts";
import { db } from "../database.ts";
import { postgresOwnership as ownership } from "./ownership.ts";

ownDatabase();

const UIDS = { first: 20_000, last: 20_004 };
let people: string[];

beforeEach(async () => {
  await db().delete(sandboxes);
  await db().delete(users);
  const add = async (n: number) =>
    (await addUser({ email: `p${n}@example.com`, name: "P", password: "a long password" })).id;
  people = await Promise.all([0, 1, 2].map(add));
});

async function warm(): Promise<string> {
  const { id } = await ownership.create(randomUUID(), UIDS, null);
  await ownership.offer(id);
  return id;
}

test("each sandbox has the lowest uid that is free, and there is an end to them", async () => {
  const made = await Promise.all([1, 2, 3, 4, 5].map(() => ownership.create(randomUUID(), UIDS, null)));
  expect(made.map(({ uid }) => uid).sort()).toEqual([20_000, 20_001, 20_002, 20_003, 20_004]);
  await expect(ownership.create(randomUUID(), UIDS, null)).rejects.toThrow(
    "All 5 uids from 20000 to 20004 are taken",
  );
  await ownership.remove(made.find(({ uid }) => uid === 20_002)?.id ?? "");
  expect((await ownership.create(randomUUID(), UIDS, null)).uid).toBe(20_002);
});

test("a claimed sandbox stays its user's, and a second claim finds the same", async () => {
  const offered = [await warm(), await warm()];
  const [ada = ""] = people;
  const first = await ownership.claim(ada);
  expect(offered).toContain(first?.id);
  expect(first?.userId).toBe(ada);
  expect(await ownership.claim(ada)).toEqual(first);
  expect(await ownership.find(ada)).toEqual(first);
});

test("many who claim at once never get the same one, and some get none", async () => {
  const offered = new Set([await warm(), await warm()]);
  const claims = await Promise.all(people.map((userId) => ownership.claim(userId)));
  const got = claims.filter((claim) => claim !== undefined).map(({ id }) => id);
  expect(new Set(got)).toEqual(offered);
  expect(got).toHaveLength(2);
});

test("one that is not offered, or was withdrawn, can't be claimed", async () => {
  const [ada = ""] = people;
  await ownership.create(randomUUID(), UIDS, null);
  const id = await warm();
  expect(await ownership.withdraw(id)).toBe(true);
  expect(await ownership.claim(ada)).toBeUndefined();
});

test("one that was claimed can't be withdrawn or offered", async () => {
  const [ada = "", bob = ""] = people;
  const id = await warm();
  await ownership.claim(ada);
  expect(await ownership.withdraw(id)).toBe(false);
  await ownership.offer(id);
  expect(await ownership.claim(bob)).toBeUndefined();
});

test("nobody has two", async () => {
  const [ada = ""] = people;
  await ownership.create(randomUUID(), UIDS, ada);
  await expect(ownership.create(randomUUID(), UIDS, ada)).rejects.toThrow(AlreadyOwned);
  expect(await ownership.list()).toHaveLength(1);
});

test("a deleted user's sandbox is on nobody's list, and never on offer", async () => {
  const [ada = "", bob = ""] = people;
  await ownership.create(randomUUID(), UIDS, ada);
  await db().delete(users).where(eq(users.id, ada));
  expect(await ownership.list()).toEqual([]);
  expect(await ownership.claim(bob)).toBeUndefined();
});
