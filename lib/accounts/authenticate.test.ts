// Signing in, and those who guess: what is limited, for whom, and who gets in all the same.
import { beforeEach, describe, expect, test } from "vitest";
import { findCredentials } from "#db/queries/users.ts";
import { attempts, users } from "#db/schema.ts";
import { ownDatabase } from "#tests/support/own-database.ts";
import { db } from "../database.ts";
import { limitSignIn } from "./attempt-limits.ts";
import { authenticate } from "./authenticate.ts";
import { rememberDevice } from "./known-devices.ts";
import { changePassword, endOtherSessions } from "./own-account.ts";
import { replacePassword } from "./replace-password.ts";
import { addUser } from "./sign-up.ts";

ownDatabase();

const ADA = { email: "ada@example.com", name: "Ada", password: "ada's password" };
const BOB = { email: "bob@example.com", name: "Bob", password: "bob's password" };
const HERE = { address: "192.0.2.1" };
const ELSEWHERE = { address: "198.51.100.1" };

beforeEach(async () => {
  await db().delete(users);
  await db().delete(attempts);
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

  test("is refused after ten failures for an account from an address, even with the right password and in parallel", async () => {
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

  test("goes on from everywhere else: nobody is locked out by a stranger's guesses", async () => {
    const ada = await addUser(ADA);
    await guess(ADA.email, 12, HERE);
    expect(await authenticate(ADA.email, ADA.password, ELSEWHERE)).toMatchObject({ id: ada.id });
    // Nor does her success give the stranger new tries.
    await expect(authenticate(ADA.email, ADA.password, HERE)).rejects.toMatchObject({ code: "rate_limited" });
  });

  test("counts all of a /64 as one address", async () => {
    await addUser(ADA);
    for (let n = 0; n < 10; n++) await guess(ADA.email, 1, { address: `2001:db8:0:1::${n}` });
    const right = (address: string) => authenticate(ADA.email, ADA.password, { address });
    await expect(right("2001:db8:0:1:ffff::1")).rejects.toMatchObject({ code: "rate_limited" });
    expect(await right("2001:db8:0:2::1")).toMatchObject({ email: ADA.email });
  });

  test("is refused after a hundred tries from one address, whoever they were for", async () => {
    const resetsAt = new Date(Date.now() + 60_000);
    await db()
      .insert(attempts)
      .values({ key: `sign-in:address:${HERE.address}`, count: 100, resetsAt });
    await expect(authenticate("u100@example.com", "wrong password", HERE)).rejects.toMatchObject({
      code: "rate_limited",
    });
    await expect(
      authenticate("u101@example.com", "wrong password", { address: "192.0.2.2" }),
    ).rejects.toMatchObject({
      code: "unauthenticated",
    });
  });
});

test("tries that are long past leave no rows, even if nobody ever gets it right", async () => {
  const resetsAt = new Date(Date.now() - 1000);
  await db().insert(attempts).values({ key: "sign-in:account:long ago", count: 3, resetsAt });
  await authenticate("nobody@example.com", "wrong password", HERE).catch(() => undefined);
  const keys = (await db().select({ key: attempts.key }).from(attempts)).map(({ key }) => key);
  expect(keys.toSorted()).toEqual([
    "sign-in:account-address:nobody@example.com 192.0.2.1",
    "sign-in:account:nobody@example.com",
    "sign-in:address:192.0.2.1",
  ]);
});

describe("a known device", () => {
  test("gets in while the whole world guesses, and strangers wait", async () => {
    const ada = await addUser(ADA);
    const known = { ...HERE, deviceNotes: await deviceOf(ADA.email) };
    for (let n = 0; n < 205; n++) await countedFrom(`10.0.${n}.1`);
    await guess(ADA.email, 12, HERE);
    await expect(authenticate(ADA.email, ADA.password, ELSEWHERE)).rejects.toMatchObject({
      code: "rate_limited",
    });
    expect(await authenticate(ADA.email, ADA.password, known)).toMatchObject({ id: ada.id });
  });

  test("has ten tries of its own, and a wrong one there costs nobody else any", async () => {
    await addUser(ADA);
    const known = { ...HERE, deviceNotes: await deviceOf(ADA.email) };
    const codes = await Promise.all(
      Array.from({ length: 12 }, () => authenticate(ADA.email, "wrong", known).catch((e) => e.code)),
    );
    expect(codes.filter((code) => code === "rate_limited")).toHaveLength(2);
    await expect(authenticate(ADA.email, ADA.password, known)).rejects.toMatchObject({
      code: "rate_limited",
    });
    expect(await authenticate(ADA.email, ADA.password, HERE)).toMatchObject({ email: ADA.email });
  });

  test("is known to its own account alone, and opens nothing without the password", async () => {
    await addUser(ADA);
    await addUser(BOB);
    await guess(BOB.email, 10, HERE);
    const hers = { ...HERE, deviceNotes: await deviceOf(ADA.email) };
    await expect(authenticate(BOB.email, BOB.password, hers)).rejects.toMatchObject({ code: "rate_limited" });
    await expect(authenticate(ADA.email, "wrong password", hers)).rejects.toMatchObject({
      code: "unauthenticated",
    });
  });

  test.each([
    ["her own change of password", "change"],
    ["signing out everywhere else", "sign out"],
    ["a reset by somebody else", "reset"],
  ])("is a stranger after %s", async (_, how) => {
    const ada = { ...(await addUser(ADA)), sessionId: "01900000-0000-7000-8000-000000000000" };
    const known = { ...HERE, deviceNotes: await deviceOf(ADA.email) };
    if (how === "change") await changePassword(ada, { current: ADA.password, next: ADA.password });
    if (how === "sign out") await endOtherSessions(ada);
    if (how === "reset") await replacePassword(ada, { password: ADA.password, by: { email: "somebody" } });
    await guess(ADA.email, 10, HERE);
    await expect(authenticate(ADA.email, ADA.password, known)).rejects.toMatchObject({
      code: "rate_limited",
    });
  });
});

test("a new password clears what was counted against the account, from everywhere", async () => {
  const ada = await addUser(ADA);
  await guess(ADA.email, 10, HERE);
  await guess(`x${ADA.email}`, 10, HERE);
  await guess(`${ADA.email}x`, 10, HERE);
  await replacePassword(ada, { password: "another password", by: { email: "somebody" } });
  expect(await authenticate(ADA.email, "another password", HERE)).toMatchObject({ id: ada.id });
  const keys = (await db().select({ key: attempts.key }).from(attempts)).map(({ key }) => key);
  expect(keys.filter((key) => key.startsWith("sign-in:account-address:"))).toHaveLength(2);
});

test("one address makes no more rows than it has tries, however many accounts it makes up", async () => {
  const addresses = Array.from({ length: 100 }, (_, n) => `made-up-${n}@example.com`);
  await db()
    .insert(attempts)
    .values({ key: `sign-in:address:${HERE.address}`, count: 98, resetsAt: inAMinute() });
  for (const email of addresses.slice(0, 10)) await guess(email, 1, HERE);
  expect(await db().$count(attempts)).toBe(1 + 2 * 2);
});

async function guess(email: string, times: number, from: { address: string }): Promise<void> {
  for (let n = 0; n < times; n++) await authenticate(email, "wrong password", from).catch(() => undefined);
}

/** What her browser carries after a sign-in. */
async function deviceOf(email: string): Promise<string> {
  const account = await findCredentials(db(), email);
  if (!account) throw new Error(`${email} has no account.`);
  return rememberDevice(undefined, account);
}

/** A guess as it is counted, without the time that checking it takes. */
async function countedFrom(address: string): Promise<void> {
  await limitSignIn({ email: ADA.email, address }).catch(() => undefined);
}

function inAMinute(): Date {
  return new Date(Date.now() + 60_000);
}
