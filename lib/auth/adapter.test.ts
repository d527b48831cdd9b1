import { beforeEach, expect, test } from "vitest";
import { users } from "#db/schema.ts";
import { ownDatabase } from "#tests/support/own-database.ts";
import { addUser } from "../accounts/sign-up.ts";
import { db } from "../database.ts";
import { adapter } from "./adapter.ts";

ownDatabase();

const GITHUB = { provider: "github", providerAccountId: "42", type: "oauth" as const };

beforeEach(async () => {
  await db().delete(users);
});

test("somebody a provider sends gets an account, and is found by it the next time", async () => {
  const made = await adapter.createUser?.({
    id: "",
    email: "ada@example.com",
    name: "Ada",
    emailVerified: null,
  });
  await adapter.linkAccount?.({ ...GITHUB, userId: made?.id ?? "" });
  expect(await adapter.getUserByAccount?.(GITHUB)).toEqual(made);
  expect(await adapter.getUserByAccount?.({ ...GITHUB, providerAccountId: "43" })).toBeNull();
  expect(await adapter.getUserByEmail?.("ADA@example.com")).toEqual(made);
});

test("one without a name is called by the first half of the address", async () => {
  const made = await adapter.createUser?.({ id: "", email: "grace@example.com", emailVerified: null });
  expect(made?.name).toBe("grace");
});

test("what a provider says later doesn't change the name somebody chose here", async () => {
  const { id } = await addUser({ email: "ada@example.com", name: "Ada", password: "a long password" });
  await adapter.updateUser?.({ id, name: "adal1815", email: "other@example.com" });
  expect(await adapter.getUser?.(id)).toMatchObject({ name: "Ada", email: "ada@example.com" });
});
