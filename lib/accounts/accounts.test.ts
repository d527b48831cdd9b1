import { v7 } from "uuid";
import { beforeEach, describe, expect, test } from "vitest";
import { listAudit } from "#db/queries/audit.ts";
import { findOrInsertInstallation } from "#db/queries/installation.ts";
import { findSessionUser, insertSession, listSessions } from "#db/queries/sessions.ts";
import { countTokens } from "#db/queries/tokens.ts";
import { findUserByEmail, insertUser, listUsers, setDisabled, type User } from "#db/queries/users.ts";
import { attempts, users } from "#db/schema.ts";
import { ownDatabase } from "#tests/support/own-database.ts";
import { COMMAND_LINE } from "../audit.ts";
import { db } from "../database.ts";
import { postgresOwnership } from "../sandboxes/ownership.ts";
import { authenticate } from "./authenticate.ts";
import { changePassword, deleteAccount, endOwnSession } from "./own-account.ts";
import { removeAccount } from "./remove-account.ts";
import { addUser, signUp } from "./sign-up.ts";
import { bearerOf, createToken } from "./tokens.ts";

ownDatabase();

const ADA = { email: "ada@example.com", name: "Ada", password: "ada's password" };
const BOB = { email: "bob@example.com", name: "Bob", password: "bob's password" };
const HERE = { address: "192.0.2.1" };

beforeEach(async () => {
  await db().delete(users);
  await db().delete(attempts);
});

describe("signing up", () => {
  test("makes the first user administrator and the second not", async () => {
    expect(await signUp({ ...ADA, ...HERE })).toMatchObject({ email: ADA.email, admin: true });
    expect(await signUp({ ...BOB, ...HERE })).toMatchObject({ email: BOB.email, admin: false });
  });

  test("makes one administrator when many are first at the same time", async () => {
    await Promise.all(Array.from({ length: 8 }, (_, n) => addUser({ ...ADA, email: `ada${n}@example.com` })));
    expect((await listUsers(db())).filter((user) => user.admin)).toHaveLength(1);
  });

  test("refuses an e-mail that is taken, however it is written", async () => {
    await addUser(ADA);
    await expect(addUser({ ...BOB, email: "ADA@Example.com" })).rejects.toMatchObject({
      code: "conflict",
      field: "email",
    });
  });

  test("never hands out a password hash", async () => {
    expect(Object.keys(await addUser(ADA))).not.toContain("passwordHash");
    expect(JSON.stringify(await findUserByEmail(db(), ADA.email))).not.toContain("argon2");
  });
});

describe("one's own account", () => {
  async function signedIn(person: typeof ADA): Promise<User & { sessionId: string }> {
    const user = (await findUserByEmail(db(), person.email)) ?? (await addUser(person));
    const expiresAt = new Date(Date.now() + 60_000);
    return { ...user, sessionId: await insertSession(db(), { userId: user.id, userAgent: "", expiresAt }) };
  }

  test("a changed password ends every other session and keeps this one", async () => {
    const [here, there] = [await signedIn(ADA), await signedIn(ADA)];
    const { token } = await createToken(here.id, { name: "stays" });
    await changePassword(here, { current: ADA.password, next: "another password" });
    expect(await findSessionUser(db(), here.sessionId)).toMatchObject({ email: ADA.email });
    expect(await findSessionUser(db(), there.sessionId)).toBeUndefined();
    expect(await authenticate(ADA.email, "another password", HERE)).toMatchObject({ email: ADA.email });
    expect(await bearerOf(token)).toMatchObject({ email: ADA.email });
  });

  test("a changed password takes the API tokens along where that is wanted, and nobody else's", async () => {
    const [ada, bob] = [await signedIn(ADA), await signedIn(BOB)];
    const hers = await Promise.all(["one", "two"].map((name) => createToken(ada.id, { name })));
    const his = await createToken(bob.id, { name: "his" });
    const change = { current: ADA.password, next: "another password", revokeTokens: true };
    await expect(changePassword(ada, { ...change, current: "wrong" })).rejects.toThrow("not your password");
    expect(await countTokens(db(), ada.id)).toBe(2);
    expect(await changePassword(ada, change)).toBe(2);
    for (const { token } of hers) expect(await bearerOf(token)).toBeUndefined();
    expect(await bearerOf(his.token)).toMatchObject({ email: BOB.email });
    const revoked = await listAudit(db(), { action: "token.revoked", text: ADA.email }, 5);
    expect(revoked.map(({ subject }) => subject).toSorted()).toEqual(["one", "two"]);
  });

  test("tokens that have expired are not counted: there is nothing to revoke", async () => {
    const ada = await signedIn(ADA);
    await createToken(ada.id, { name: "old", expiresAt: new Date(Date.now() - 1000) });
    await createToken(ada.id, { name: "new", expiresAt: new Date(Date.now() + 60_000) });
    expect(await countTokens(db(), ada.id)).toBe(1);
  });

  test("somebody without a password sets one, and is asked for none", async () => {
    const user = await insertUser(db(), { email: "gil@example.com", name: "Gil" });
    if (!user) throw new Error("The test's person has an account already.");
    const { token } = await createToken(user.id, { name: "soon gone" });
    const change = { current: "", next: "a first password", revokeTokens: true };
    expect(await changePassword({ ...user, sessionId: v7() }, change)).toBe(1);
    expect(await authenticate(user.email, "a first password", HERE)).toMatchObject({ id: user.id });
    expect(await bearerOf(token)).toBeUndefined();
  });

  test("a wrong current password changes nothing", async () => {
    const ada = await signedIn(ADA);
    await expect(changePassword(ada, { current: "wrong", next: "another password" })).rejects.toMatchObject({
      code: "forbidden",
      field: "current",
    });
    expect(await authenticate(ADA.email, ADA.password, HERE)).toMatchObject({ email: ADA.email });
  });

  test("a session of a disabled user, or one that has expired, is nobody's", async () => {
    const ada = await signedIn(ADA);
    await db().update(users).set({ disabledAt: new Date() });
    expect(await findSessionUser(db(), ada.sessionId)).toBeUndefined();
    await db().update(users).set({ disabledAt: null });
    const expired = await insertSession(db(), {
      userId: ada.id,
      userAgent: "",
      expiresAt: new Date(Date.now() - 1),
    });
    expect(await findSessionUser(db(), expired)).toBeUndefined();
  });

  test("nobody ends somebody else's session", async () => {
    const [ada, bob] = [await signedIn(ADA), await signedIn(BOB)];
    await expect(endOwnSession(bob, ada.sessionId)).rejects.toMatchObject({ code: "not_found" });
    expect(await listSessions(db(), ada.id)).toHaveLength(1);
  });

  test("the only administrator can't leave others behind, but the last user can go", async () => {
    const ada = await signedIn(ADA);
    const bob = await signedIn(BOB);
    const destroyed: string[] = [];
    const leave = (user: User, password: string) =>
      deleteAccount(user, { confirmation: user.email, password }, async (id) => void destroyed.push(id));
    await expect(leave(ada, ADA.password)).rejects.toMatchObject({ code: "conflict" });
    await leave(bob, BOB.password);
    await leave(ada, ADA.password);
    expect(await listUsers(db())).toEqual([]);
    expect(destroyed).toEqual([bob.id, ada.id]);
  });
});

describe("an account that is deleted", () => {
  test("lets nobody in from the first moment, and gets no new sandbox", async () => {
    const ada = await addUser(ADA);
    const { token } = await createToken(ada.id, { name: "live" });
    await deleteAccount(ada, { confirmation: ada.email, password: ADA.password }, async () => {
      expect(await bearerOf(token)).toBeUndefined();
      await expect(authenticate(ADA.email, ADA.password, HERE)).rejects.toMatchObject({
        code: "unauthenticated",
      });
      await expect(postgresOwnership.create("s1", { first: 20_000, last: 20_001 }, ada.id)).rejects.toThrow(
        "not active any more",
      );
      expect(await postgresOwnership.claim(ada.id)).toBeUndefined();
    });
    expect(await findUserByEmail(db(), ADA.email)).toBeUndefined();
  });

  test("leaves an administrator, also when two of them go at the same moment", async () => {
    const [ada, bob] = [await addUser(ADA), await addUser({ ...BOB, admin: true })];
    await addUser({ email: "carl@example.com", name: "Carl", password: "carl's password" });
    const both = await Promise.allSettled(
      [ada, bob].map((user) => removeAccount(user, COMMAND_LINE, async () => undefined)),
    );
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect((await listUsers(db())).filter(({ admin }) => admin)).toHaveLength(1);
  });

  test("stays disabled if it was, when what runs can't be ended", async () => {
    await addUser(ADA);
    const bob = await addUser(BOB);
    await setDisabled(db(), bob.id, true);
    const going = removeAccount(bob, COMMAND_LINE, async () => {
      throw new Error("the engine is away");
    });
    await expect(going).rejects.toThrow("the engine is away");
    expect((await findUserByEmail(db(), BOB.email))?.disabledAt).not.toBeNull();
  });

  test("is as before when what runs can't be ended", async () => {
    const ada = await addUser(ADA);
    const leaving = deleteAccount(ada, { confirmation: ada.email, password: ADA.password }, async () => {
      throw new Error("the engine is away");
    });
    await expect(leaving).rejects.toThrow("the engine is away");
    expect(await authenticate(ADA.email, ADA.password, HERE)).toMatchObject({ id: ada.id });
  });
});

test("what people do to their accounts is in the audit log, which outlives them", async () => {
  const ada = await signUp({ ...ADA, ...HERE });
  await changePassword({ ...ada, sessionId: v7() }, { current: ADA.password, next: "another password" });
  await deleteAccount(ada, { confirmation: ada.email, password: "another password" }, async () => undefined);
  const entries = (await listAudit(db(), { text: ADA.email }, 10)).filter(
    ({ subjectId }) => subjectId === ada.id,
  );
  expect(entries.map(({ action }) => action).toSorted()).toEqual([
    "user.added",
    "user.deleted",
    "user.password_changed",
  ]);
});

test("the installation is made once, whoever comes first", async () => {
  const rows = await Promise.all(
    ["one", "two", "three"].map((id) => findOrInsertInstallation(db(), { id, keyCheck: id })),
  );
  expect(new Set(rows.map((row) => row.id)).size).toBe(1);
});
