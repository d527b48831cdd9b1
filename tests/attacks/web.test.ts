// SECURITY.md 31 and 33: other sites' pages, the cookies they would like to use, and people who guess.
import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ownCove } from "../support/caller.ts";
import { type Cove, startCove } from "../support/cove.ts";
import { addPerson, databaseOf } from "../support/people.ts";
import { newResident, type Resident } from "../support/resident.ts";
import { cookiesOf, somewhere } from "../support/session-cookie.ts";

const own = ownCove();
const password = "a long password";
let ada: Resident;
beforeAll(async () => {
  ada = await newResident(own.cove);
});

describe("31. Cross-site requests and cookies", () => {
  let secure: Cove;
  beforeAll(async () => {
    secure = await startCove({ COVE_URL: "https://cove.example" });
  });
  afterAll(() => secure?.stop());

  test("over https every cookie is Secure, HttpOnly, SameSite and bound to this host, the session's too", async () => {
    const email = await somebody(secure);
    const { set } = await signIn(secure.url, email, password);
    expect(set.map(nameOf)).toEqual(expect.arrayContaining(["__Host-cove.session", "__Host-cove.device"]));
    for (const line of set) {
      expect(nameOf(line)).toMatch(/^__Host-/);
      expect(attributesOf(line)).toEqual(
        expect.arrayContaining(["httponly", "path=/", "samesite=lax", "secure"]),
      );
      expect(line).not.toMatch(/domain=/i);
    }
  });

  test("over http they are HttpOnly and SameSite", async () => {
    const { set } = await signIn(own.cove.url, ada.email, password);
    expect(set.map(nameOf)).toEqual(expect.arrayContaining(["cove.session", "cove.device"]));
    for (const line of set) {
      expect(attributesOf(line)).toEqual(expect.arrayContaining(["httponly", "path=/", "samesite=lax"]));
      expect(line).not.toMatch(/domain=|secure/i);
    }
  });

  test("nobody is signed in or out by another site's form", async () => {
    const evil = { origin: "https://evil.example", "sec-fetch-site": "cross-site" };
    const form = { method: "POST", redirect: "manual" as const };
    const signedIn = await fetch(`${own.cove.url}/api/auth/callback/credentials`, {
      ...form,
      headers: evil,
      body: new URLSearchParams({ email: ada.email, password, csrfToken: "guessed" }),
    });
    expect(signedIn.headers.getSetCookie().join()).not.toContain("cove.session=");
    await fetch(`${own.cove.url}/api/auth/signout`, {
      ...form,
      headers: { ...evil, cookie: ada.cookie },
      body: new URLSearchParams({ csrfToken: "guessed" }),
    });
    expect((await fetch(`${own.cove.url}/api/models`, { headers: { cookie: ada.cookie } })).status).toBe(200);
  });
});

describe("33. Guessing passwords", () => {
  test("a wrong e-mail and a wrong password look and take the same", async () => {
    const known = await somebody(own.cove);
    const unknown = `${randomUUID()}@example.com`;
    const times: Record<string, number[]> = { [known]: [], [unknown]: [] };
    const looks = new Set<string>();
    // Taken in turns, so that what else the machine does falls on both.
    for (let round = 0; round < 9; round++) {
      for (const email of [known, unknown]) {
        const { status, location, set, ms } = await signIn(own.cove.url, email, "not the password");
        looks.add(JSON.stringify([status, location, set.map(nameOf)]));
        times[email]?.push(ms);
      }
    }
    expect(looks.size).toBe(1);
    expect([...looks][0]).toContain("error=CredentialsSignin");
    const [one, other] = [Math.min(...(times[known] ?? [])), Math.min(...(times[unknown] ?? []))];
    expect(Math.max(one, other) / Math.min(one, other)).toBeLessThan(1.5);
  });

  test("after ten failures from an address not even the right password is looked at, for that account alone", async () => {
    const [email, other] = [await somebody(own.cove), await somebody(own.cove)];
    const from = { "x-forwarded-for": somewhere() };
    await guess(email, from);
    expect((await signIn(own.cove.url, email, password, from)).signedIn).toBe(false);
    expect((await signIn(own.cove.url, other, password, from)).signedIn).toBe(true);
  });

  test("nobody locks somebody else out: the owner gets in from elsewhere", async () => {
    const email = await somebody(own.cove);
    await guess(email, { "x-forwarded-for": somewhere() });
    const elsewhere = { "x-forwarded-for": somewhere() };
    expect((await signIn(own.cove.url, email, password, elsewhere)).signedIn).toBe(true);
  });

  test("a browser that was signed in before gets in whatever others did, and no other account's does", async () => {
    const [email, other] = [await somebody(own.cove), await somebody(own.cove)];
    const device = deviceOf(await signIn(own.cove.url, email, password));
    const from = { "x-forwarded-for": somewhere() };
    await guess(email, from);
    // Guesses from everywhere have used up what the account allows strangers altogether.
    const { db } = await databaseOf(own.cove.dataDir);
    await db.execute(sql`update attempts set count = 1000 where key = ${`sign-in:account:${email}`}`);
    expect((await signIn(own.cove.url, email, password, { "x-forwarded-for": somewhere() })).signedIn).toBe(
      false,
    );
    const known = await signIn(own.cove.url, email, password, from, device);
    expect(known.signedIn).toBe(true);
    expect((await signIn(own.cove.url, email, "wrong password", from, device)).signedIn).toBe(false);
    const foreign = deviceOf(await signIn(own.cove.url, other, password));
    for (const cookie of [foreign, device.replace(/.$/, ""), "cove.device=~~~", ""]) {
      expect((await signIn(own.cove.url, email, password, from, cookie)).signedIn).toBe(false);
    }
  });

  test("an account that waits and one that doesn't exist look the same", async () => {
    const from = { "x-forwarded-for": somewhere() };
    const looks = new Set<string>();
    for (const email of [await somebody(own.cove), `${randomUUID()}@example.com`]) {
      await guess(email, from);
      const { status, location, set } = await signIn(own.cove.url, email, password, from);
      looks.add(JSON.stringify([status, location, set.map(nameOf)]));
    }
    expect(looks.size).toBe(1);
  });

  test("a hundred tries from one address are enough, whoever they are for", async () => {
    const from = { "x-forwarded-for": "192.0.2.77" };
    for (let batch = 0; batch < 10; batch++) {
      const tries = Array.from({ length: 10 }, () =>
        signIn(own.cove.url, `${randomUUID()}@example.com`, "x".repeat(12), from),
      );
      await Promise.all(tries);
    }
    const email = await somebody(own.cove);
    expect((await signIn(own.cove.url, email, password, from)).signedIn).toBe(false);
    expect((await signIn(own.cove.url, email, password, { "x-forwarded-for": "192.0.2.78" })).signedIn).toBe(
      true,
    );
  });
});

async function somebody({ dataDir }: Pick<Cove, "dataDir">): Promise<string> {
  const email = `${randomUUID()}@example.com`;
  await addPerson(dataDir, { email, name: "Somebody", password });
  return email;
}

async function guess(email: string, from: Record<string, string>): Promise<void> {
  const tries = Array.from({ length: 12 }, () => signIn(own.cove.url, email, "wrong password", from));
  expect((await Promise.all(tries)).some(({ signedIn }) => signedIn)).toBe(false);
}

/** What a browser that was signed in keeps when it isn't any more. */
function deviceOf({ set }: { set: string[] }): string {
  return set.find((line) => nameOf(line).endsWith("cove.device"))?.split(";")[0] ?? "";
}

async function signIn(
  url: string,
  email: string,
  given: string,
  headers: Record<string, string> = {},
  device = "",
) {
  const first = await fetch(`${url}/api/auth/csrf`);
  const { csrfToken } = (await first.json()) as { csrfToken: string };
  const cookie = [cookiesOf(first), device].join("; ");
  const started = performance.now();
  const answer = await fetch(`${url}/api/auth/callback/credentials`, {
    method: "POST",
    redirect: "manual",
    headers: { cookie, ...headers },
    body: new URLSearchParams({ csrfToken, email, password: given }),
  });
  const ms = performance.now() - started;
  const set = [...first.headers.getSetCookie(), ...answer.headers.getSetCookie()];
  const signedIn = set.some((line) => nameOf(line).endsWith("cove.session"));
  return { status: answer.status, location: answer.headers.get("location"), set, signedIn, ms };
}

function nameOf(setCookie: string): string {
  return setCookie.split("=")[0] ?? "";
}

function attributesOf(setCookie: string): string[] {
  return setCookie
    .split(";")
    .slice(1)
    .map((one) => one.trim().toLowerCase());
}
