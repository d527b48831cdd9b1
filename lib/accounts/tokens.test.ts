import { beforeEach, expect, test } from "vitest";
import { apiTokens, users } from "#db/schema.ts";
import { ownDatabase } from "#tests/support/own-database.ts";
import { db } from "../database.ts";
import { addUser } from "./sign-up.ts";
import { bearerOf, createToken, revokeToken, tokensOf } from "./tokens.ts";

ownDatabase();

let ada: string;
let bob: string;

beforeEach(async () => {
  await db().delete(users);
  ada = (await addUser({ email: "ada@example.com", name: "Ada", password: "ada's password" })).id;
  bob = (await addUser({ email: "bob@example.com", name: "Bob", password: "bob's password" })).id;
});

test("a token leads to its owner", async () => {
  const { token } = await createToken(ada, { name: "laptop" });
  expect(token).toMatch(/^cove_[A-Za-z0-9_-]{43}$/);
  expect(await bearerOf(token)).toMatchObject({ id: ada, email: "ada@example.com" });
});

test("the database holds no token, only its hash", async () => {
  const { token } = await createToken(ada, { name: "laptop" });
  const rows = JSON.stringify(await db().select().from(apiTokens));
  expect(rows).not.toContain(token.slice(12));
});

test.each([
  "",
  "cove_",
  "cove_short",
  "sk-1234",
  `cove_${"x".repeat(44)}`,
  `cove_${"A".repeat(43)}`,
  "x".repeat(1e6),
])("%.20s is nobody's token", async (token) => {
  expect(await bearerOf(token)).toBeUndefined();
});

test("an expired token, and one of a disabled user, are nobody's", async () => {
  const expired = await createToken(ada, { name: "old", expiresAt: new Date(Date.now() - 1) });
  expect(await bearerOf(expired.token)).toBeUndefined();
  const good = await createToken(ada, { name: "good", expiresAt: new Date(Date.now() + 60_000) });
  expect(await bearerOf(good.token)).toMatchObject({ id: ada });
  await db().update(users).set({ disabledAt: new Date() });
  expect(await bearerOf(good.token)).toBeUndefined();
});

test("a revoked token stops at once, and only its owner can revoke it", async () => {
  const { id, token } = await createToken(ada, { name: "laptop" });
  await expect(revokeToken(bob, id)).rejects.toMatchObject({ code: "not_found" });
  expect(await bearerOf(token)).toMatchObject({ id: ada });
  await revokeToken(ada, id);
  expect(await bearerOf(token)).toBeUndefined();
});

test("using a token is noted, and a list shows its owner's only", async () => {
  const { token } = await createToken(ada, { name: "laptop" });
  await createToken(bob, { name: "bob's" });
  expect(await tokensOf(ada)).toMatchObject([{ name: "laptop", lastUsedAt: null }]);
  await bearerOf(token);
  expect(await tokensOf(ada)).toMatchObject([{ name: "laptop", lastUsedAt: expect.any(Date) }]);
});

test("there is an end to how many tokens one has", async () => {
  await db()
    .insert(apiTokens)
    .values(
      Array.from({ length: 100 }, (_, n) => ({
        userId: ada,
        name: `${n}`,
        hash: Buffer.from([n]),
        prefix: "x",
      })),
    );
  await expect(createToken(ada, { name: "one more" })).rejects.toMatchObject({ code: "conflict" });
});
