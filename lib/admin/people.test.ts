import { beforeEach, describe, expect, test } from "vitest";
import { listAudit } from "#db/queries/audit.ts";
import { findUser, type User } from "#db/queries/users.ts";
import { findSessionUser, insertSession } from "#db/queries/web-sessions.ts";
import { users } from "#db/schema.ts";
import { ownDatabase } from "#tests/support/own-database.ts";
import { authenticate } from "../accounts/authenticate.ts";
import { addUser } from "../accounts/sign-up.ts";
import { db } from "../database.ts";
import {
  demotePerson,
  disablePerson,
  enablePerson,
  peoplePage,
  promotePerson,
  resetPassword,
} from "./people.ts";

ownDatabase();
let ada: User;
let bob: User;

beforeEach(async () => {
  await db().delete(users);
  ada = await addUser({ email: "ada@example.com", name: "Ada", password: "ada's password" });
  bob = await addUser({ email: "bob@example.com", name: "Bob", password: "bob's password" });
});

const hour = () => new Date(Date.now() + 3_600_000);

describe("an administrator", () => {
  test("disables somebody, who is out at once, and enables them again", async () => {
    const session = await insertSession(db(), { userId: bob.id, userAgent: "test", expiresAt: hour() });
    await disablePerson(ada, bob.id);
    expect(await findSessionUser(db(), session)).toBeUndefined();
    await enablePerson(ada, bob.id);
    // The old session is gone for good.
    expect(await findSessionUser(db(), session)).toBeUndefined();
    expect((await findUser(db(), bob.id))?.disabledAt).toBeNull();
    const actions = (await listAudit(db(), { text: "bob@" }, 2)).map(({ action }) => action);
    expect(actions).toEqual(["user.enabled", "user.disabled"]);
  });

  test("can't lock everybody out", async () => {
    await expect(disablePerson(ada, ada.id)).rejects.toMatchObject({ code: "conflict" });
    await expect(demotePerson(ada, ada.id)).rejects.toMatchObject({ code: "conflict" });
    await promotePerson(ada, bob.id);
    await demotePerson(bob, ada.id);
    expect((await findUser(db(), ada.id))?.admin).toBe(false);
  });

  test("of two who take it from each other, one stays", async () => {
    await promotePerson(ada, bob.id);
    const both = await Promise.allSettled([demotePerson(ada, bob.id), demotePerson(bob, ada.id)]);
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  });

  test("resets a password: the new one works, the old one and all sessions don't", async () => {
    const session = await insertSession(db(), { userId: bob.id, userAgent: "test", expiresAt: hour() });
    const password = await resetPassword(ada, bob.id);
    expect(await findSessionUser(db(), session)).toBeUndefined();
    const signIn = (given: string) =>
      authenticate(bob.email, given, { address: "192.0.2.1" }).catch(() => undefined);
    expect(await signIn("bob's password")).toBeFalsy();
    expect(await signIn(password)).toMatchObject({ id: bob.id });
    expect(JSON.stringify(await listAudit(db(), {}, 10))).not.toContain(password);
  });

  test("finds people by part of their name, page by page", async () => {
    expect((await peoplePage({ text: "BOB" })).people).toMatchObject([
      { email: bob.email, lastSeenAt: null },
    ]);
    expect((await peoplePage({ text: "%" })).people).toEqual([]);
    expect((await peoplePage({ after: ada.id })).people).toMatchObject([{ email: bob.email }]);
  });
});
