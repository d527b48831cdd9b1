// Somebody invites, and others would like to have been: links that are made up, used, expired or taken back, and those who
// come with the wrong name.
import { randomBytes, randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { findUserByEmail } from "#db/queries/users.ts";
import { ownCove } from "../support/caller.ts";
import { dumpOf, secretsIn } from "../support/dump.ts";
import { databaseOf } from "../support/people.ts";
import { newResident, type Resident } from "../support/resident.ts";
import { sessionCookie, somewhere } from "../support/session-cookie.ts";
import { callAction } from "./actions.ts";

const own = ownCove({ COVE_SIGNUP: "closed", COVE_LOG_LEVEL: "debug" });
const PASSWORD = "a password of my own";
const REFUSED = /^This invitation is not valid/;
const TOO_MANY = /^Too many attempts/;
let admin: Resident;

beforeAll(async () => {
  // The first person is the administrator.
  admin = await newResident(own.cove);
});

describe("36. Invitations", () => {
  test("let one person in where sign-up is closed, once, by the address that was invited", async () => {
    const { email, secret } = await invited();
    const somebodyElse = `${randomUUID()}@example.com`;
    expect(await look(secret)).toBe(email);
    // Whoever has the link may choose a name and a password; the address and the standing are not theirs to choose.
    expect(await join(secret, { email: somebodyElse, admin: "on" })).toBe("joined");
    const { db } = await databaseOf(own.cove.dataDir);
    expect(await findUserByEmail(db, somebodyElse)).toBeUndefined();
    expect(await findUserByEmail(db, email)).toMatchObject({ admin: false });
    expect(await sessionCookie(own.cove.url, email, PASSWORD)).toContain("cove.session=");
    expect(await look(secret)).toMatch(REFUSED);
    expect(await join(secret)).toMatch(REFUSED);
  });

  test("make an administrator of whoever was invited as one", async () => {
    const { email, secret } = await invited({ admin: "on" });
    expect(await join(secret)).toBe("joined");
    const { db } = await databaseOf(own.cove.dataDir);
    expect(await findUserByEmail(db, email)).toMatchObject({ admin: true });
  });

  const spent: [string, () => Promise<string>][] = [
    ["made up", async () => randomBytes(32).toString("base64url")],
    ["expired", () => changed(sql`update invitations set expires_at = now() - interval '1 second'`)],
    ["revoked", revoked],
    ["replaced by a newer one", replaced],
    ["of an administrator who is none any more", () => fromFormerAdmin(sql`admin = false`)],
    ["of an administrator who was disabled", () => fromFormerAdmin(sql`disabled_at = now()`)],
  ];

  test.each(spent)("open nothing when they are %s", async (_, make) => {
    const secret = await make();
    expect(await look(secret)).toMatch(REFUSED);
    expect(await join(secret)).toMatch(REFUSED);
  });

  test("that are no whole link are refused before anything is looked up", async () => {
    for (const secret of ["", "x", "x".repeat(44), "' or true --".padEnd(43, "-"), "\0".repeat(43)]) {
      expect(await join(secret)).toMatch(/^This link is not complete/);
    }
  });

  test("bring one account, however many use one at the same moment", async () => {
    const { secret } = await invited();
    const answers = await Promise.all(Array.from({ length: 8 }, () => join(secret)));
    expect(answers.filter((answer) => answer === "joined")).toHaveLength(1);
    expect(answers.filter((answer) => REFUSED.test(answer))).toHaveLength(7);
  });

  test("are looked up so often from one address and no more, and elsewhere go on", async () => {
    const from = somewhere();
    const { secret } = await invited();
    for (let n = 0; n < 60; n++) await look(randomBytes(32).toString("base64url"), from);
    expect(await look(secret, from)).toMatch(TOO_MANY);
    expect(await join(secret, {}, from)).toMatch(TOO_MANY);
    expect(await join(secret)).toBe("joined");
  });

  test("are not given to people who are here already, in any spelling", async () => {
    expect(await callAction(admin, INVITE, { email: admin.email.toUpperCase() })).toMatch(
      /"problem":"There is already an account/,
    );
  });

  test("leave no secret in the log at its most talkative, in the database, or for other sites", async () => {
    const [used, open] = [await invited(), await invited()];
    await join(used.secret);
    await look(open.secret);
    await join(`${open.secret.slice(0, -1)}!`);
    const secrets = { used: used.secret, open: open.secret };
    await admin.execute("list_skills");
    expect(own.cove.output()).toContain('"path":"/execute"');
    expect(secretsIn(own.cove.output(), secrets)).toEqual([]);
    expect(secretsIn(await dumpOf(own.cove.dataDir), secrets)).toEqual([]);
    const page = await fetch(`${own.cove.url}/join`);
    expect(page.headers.get("referrer-policy")).toBe("same-origin");
  });
});

const INVITE = "(app)/admin/actions.ts invite";

async function invited(values: Record<string, string> = {}, by = admin) {
  const email = `${randomUUID()}@example.com`;
  const answer = await callAction(by, INVITE, { email, ...values });
  const [, secret = ""] = /\/join#([\w-]{43})"/.exec(answer) ?? [];
  expect([answer, secret]).toEqual([answer, expect.stringMatching(/^[\w-]{43}$/)]);
  return { email, secret };
}

/** A stranger's page, at an address of its own unless one is given: the address that is invited, or why there is none. */
async function look(secret: string, from = somewhere()): Promise<string> {
  const answer = await asStranger("openInvitation", { secret }, from);
  return problemIn(answer) ?? /"email":"([^"]+)"/.exec(answer)?.[1] ?? answer;
}

async function join(
  secret: string,
  values: Record<string, string> = {},
  from = somewhere(),
): Promise<string> {
  const form = { secret, name: "Somebody", password: PASSWORD, ...values };
  const answer = await asStranger("joinWithPassword", form, from);
  // Whoever joins is brought to the chat, in the same answer.
  return problemIn(answer) ?? (answer.includes("Chat · Cove") ? "joined" : answer);
}

function asStranger(action: string, values: Record<string, string>, from: string): Promise<string> {
  const stranger = { cove: own.cove, cookie: "" };
  return callAction(stranger, `(entry)/actions.ts ${action}`, values, { "x-forwarded-for": from });
}

function problemIn(answer: string): string | undefined {
  return /"problem":"([^"]+)"/.exec(answer)?.[1];
}

async function changed(change: ReturnType<typeof sql>): Promise<string> {
  const { email, secret } = await invited();
  const { db } = await databaseOf(own.cove.dataDir);
  await db.execute(sql`${change} where email = ${email}`);
  return secret;
}

async function revoked(): Promise<string> {
  const { email, secret } = await invited();
  const { db } = await databaseOf(own.cove.dataDir);
  const { rows } = await db.execute<{ id: string }>(sql`select id from invitations where email = ${email}`);
  const answer = await callAction(admin, "(app)/admin/actions.ts uninvite", { id: rows[0]?.id ?? "" });
  expect(answer).not.toMatch(/"problem"/);
  return secret;
}

async function replaced(): Promise<string> {
  const { email, secret } = await invited();
  await invited({ email: email.toUpperCase() });
  return secret;
}

async function fromFormerAdmin(change: ReturnType<typeof sql>): Promise<string> {
  const former = await newResident(own.cove);
  const { db } = await databaseOf(own.cove.dataDir);
  await db.execute(sql`update users set admin = true where id = ${former.id}`);
  const { secret } = await invited({}, former);
  await db.execute(sql`update users set ${change} where id = ${former.id}`);
  return secret;
}
