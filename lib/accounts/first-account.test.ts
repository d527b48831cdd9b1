import { beforeEach, expect, test } from "vitest";
import { listUsers } from "#db/queries/users.ts";
import { attempts, users } from "#db/schema.ts";
import { ownDatabase } from "#tests/support/own-database.ts";
import { setVariables } from "#tests/support/own-environment.ts";
import { adapter } from "../auth/adapter.ts";
import { db } from "../database.ts";
import { firstAccountCode } from "./first-account.ts";
import { addUser, signUp } from "./sign-up.ts";

ownDatabase();
setVariables({ COVE_LISTEN: "0.0.0.0" });

const ADA = { email: "ada@example.com", name: "Ada", password: "ada's password", address: "192.0.2.1" };
const BOB = { ...ADA, email: "bob@example.com" };

beforeEach(async () => {
  await db().delete(users);
  await db().delete(attempts);
});

test("the first account needs the code, and no other does", async () => {
  const code = await firstAccountCode();
  expect(code).toMatch(/^[A-Z2-9]{4}-[A-Z2-9]{4}-[A-Z2-9]{4}$/);
  for (const wrong of [undefined, "", "AAAA-AAAA-AAAA", `${code}A`, code?.slice(0, -1), "ä".repeat(12)]) {
    await expect(signUp({ ...ADA, code: wrong })).rejects.toMatchObject({ code: "forbidden", field: "code" });
  }
  expect(await listUsers(db())).toEqual([]);
  expect(await signUp({ ...ADA, code })).toMatchObject({ admin: true });
  expect(await firstAccountCode()).toBeUndefined();
  expect(await signUp(BOB)).toMatchObject({ admin: false });
});

test("it is the same until it is used, and may be typed as people type", async () => {
  const code = (await firstAccountCode()) ?? "";
  expect(await firstAccountCode()).toBe(code);
  expect(await signUp({ ...ADA, code: ` ${code.toLowerCase().replaceAll("-", " ")} ` })).toMatchObject({
    admin: true,
  });
});

test("guesses are counted for their address", async () => {
  const guesses: string[] = [];
  for (let n = 0; n < 31; n++) {
    guesses.push(await signUp({ ...ADA, code: `GUESS${n}` }).catch((error) => error.code));
  }
  expect(guesses.slice(0, 30).every((outcome) => outcome === "forbidden")).toBe(true);
  expect(guesses[30]).toBe("rate_limited");
  const code = await firstAccountCode();
  await expect(signUp({ ...ADA, code })).rejects.toMatchObject({ code: "rate_limited" });
  expect(await signUp({ ...ADA, code, address: "192.0.2.2" })).toMatchObject({ admin: true });
});

test("many who are first at the same time need it all", async () => {
  const outcomes = await Promise.all(
    Array.from({ length: 8 }, (_, n) =>
      signUp({ ...ADA, email: `ada${n}@example.com` }).catch((e) => e.code),
    ),
  );
  expect(new Set(outcomes)).toEqual(new Set(["forbidden"]));
});

test("a provider is no way around it, and the command line needs none", async () => {
  const grace = { id: "", email: "grace@example.com", name: "Grace", emailVerified: null };
  await expect(adapter.createUser?.(grace)).rejects.toMatchObject({ code: "forbidden" });
  expect(await addUser(ADA)).toMatchObject({ admin: true });
  expect(await adapter.createUser?.(grace)).toMatchObject({ email: grace.email });
});
