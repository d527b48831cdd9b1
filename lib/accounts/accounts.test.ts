import { v7 } from "uuid";
import { beforeEach, describe, expect, test } from "vitest";
import { listAudit } from "#db/queries/audit.ts";
import { findOrInsertInstallation } from "#db/queries/installation.ts";
import { findSessionUser, insertSession, listSessions } from "#db/queries/sessions.ts";
import { findUserByEmail, listUsers, type User } from "#db/queries/users.ts";
import { attempts, users } from "#db/schema.ts";
import { ownDatabase } from "#tests/support/own-database.ts";
import { db } from "../database.ts";
import { postgresOwnership } from "../sandboxes/ownership.ts";
import { bearerOf, createToken } from "../tokens.ts";
import { authenticate } from "./authenticate.ts";
import { deleteAccount } from "./delete-account.ts";
import { changePassword, endOwnSession } from "./own-account.ts";
import { addUser, signUp } from "./sign-up.ts";

ownDatabase();

const ADA = { email: "ada@example.com", name: "Ada", password: "ada's password" };
const BOB = { email: "bob@example.com", name: "Bob", password: "bob's password" };
const HERE = "192.0.2.1";

beforeEach(async () => {
  await db().delete(users);
  await db().delete(attempts);
});

describe("signing up", () => {
  test("makes the first user administrator and the second not", async () => {
    expect(await signUp({ ...ADA, address: HERE })).toMatchObject({ email: ADA.email, admin: true });
    expect(await signUp({ ...BOB, address: HERE })).toMatchObject({ email: BOB.email, admin: false });
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

describe("signing in", () => {
  test("finds the user by e-mail, in any case, and password", async () => {
    const ada = await addUser(ADA);
    expect((await authenticate("Ada@EXAMPLE.com", ADA.password, HERE)).id).toBe(ada.id);
  });

  test("answers alike for a wrong password, an unknown e-mail and a disabled user", async () => {
    await addUser(ADA);
    await addUser(BOB);
    await db().update(users).set({ disabledAt: new Date() });
    const answers = await Promise.all(
      [
        [ADA.email, "wrong password"],
        ["nobody@example.com", "wrong password"],
        [BOB.email, BOB.password],
      ].map(([email = "", password = ""]) => authenticate(email, password, HERE).catch((error) => error)),
    );
    for (const answer of answers) {
      expect(answer).toMatchObject({
        code: "unauthenticated",
        message: "The e-mail address or the password is not right.",
      });
    }
  });

  test("spends the time of a real check on an unknown e-mail", async () => {
    await addUser(ADA);
    const fastest = async (email: string) => {
      const times: number[] = [];
      for (let n = 0; n < 4; n++) {
        const started = performance.now();
        await authenticate(email, "wrong password", HERE).catch(() => undefined);
        times.push(performance.now() - started);
      }
      return Math.min(...times);
    };
    // Without the decoy an unknown e-mail answers in a tenth of the time; the fastest of several tries tells, whatever else
    // the machine is doing.
    expect(await fastest("nobody@example.com")).toBeGreaterThan((await fastest(ADA.email)) / 3);
  });

  test("is refused after ten failures per account, even with the right password and in parallel", async () => {
    await addUser(ADA);
    const tries = Array.from({ length: 15 }, () =>
      authenticate(ADA.email, "wrong password", HERE).catch((e) => e.code),
    );
    const codes = await Promise.all(tries);
    expect(codes.filter((code) => code === "unauthenticated")).toHaveLength(10);
    expect(codes.filter((code) => code === "rate_limited")).toHaveLength(5);
    await expect(authenticate(ADA.email, ADA.password, HERE)).rejects.toMatchObject({
      code: "rate_limited",
      retryAfterSeconds: expect.any(Number),
    });
  });

  test("forgets failures once the password was right", async () => {
    await addUser(ADA);
    for (let n = 0; n < 9; n++) await authenticate(ADA.email, "wrong password", HERE).catch(() => undefined);
    await authenticate(ADA.email, ADA.password, HERE);
    for (let n = 0; n < 9; n++) await authenticate(ADA.email, "wrong password", HERE).catch(() => undefined);
    expect((await authenticate(ADA.email, ADA.password, HERE)).email).toBe(ADA.email);
  });

  test("is refused after a hundred tries from one address, whoever they were for", async () => {
    const resetsAt = new Date(Date.now() + 60_000);
    await db()
      .insert(attempts)
      .values({ key: `sign-in:address:${HERE}`, count: 100, resetsAt });
    await expect(authenticate("u100@example.com", "wrong password", HERE)).rejects.toMatchObject({
      code: "rate_limited",
    });
    await expect(authenticate("u101@example.com", "wrong password", "192.0.2.2")).rejects.toMatchObject({
      code: "unauthenticated",
    });
  });
});

test("tries that are long past leave no rows, even if nobody ever gets it right", async () => {
  const resetsAt = new Date(Date.now() - 1000);
  await db().insert(attempts).values({ key: "sign-in:account:long ago", count: 3, resetsAt });
  await authenticate("nobody@example.com", "wrong password", HERE).catch(() => undefined);
  const keys = (await db().select({ key: attempts.key }).from(attempts)).map(({ key }) => key);
  expect(keys.toSorted()).toEqual([`sign-in:account:nobody@example.com`, `sign-in:address:${HERE}`]);
});

describe("one's own account", () => {
  async function signedIn(person: typeof ADA): Promise<User & { sessionId: string }> {
    const user = (await findUserByEmail(db(), person.email)) ?? (await addUser(person));
    const expiresAt = new Date(Date.now() + 60_000);
    return { ...user, sessionId: await insertSession(db(), { userId: user.id, userAgent: "", expiresAt }) };
  }

  test("a changed password ends every other session and keeps this one", async () => {
    const [here, there] = [await signedIn(ADA), await signedIn(ADA)];
    await changePassword(here, { current: ADA.password, next: "another password" });
    expect(await findSessionUser(db(), here.sessionId)).toMatchObject({ email: ADA.email });
    expect(await findSessionUser(db(), there.sessionId)).toBeUndefined();
    expect(await authenticate(ADA.email, "another password", HERE)).toMatchObject({ email: ADA.email });
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
  const ada = await signUp({ ...ADA, address: HERE });
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
