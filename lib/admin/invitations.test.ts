import { beforeEach, expect, test } from "vitest";
import { listAudit } from "#db/queries/audit.ts";
import { findUserByEmail, type User } from "#db/queries/users.ts";
import { invitations, users } from "#db/schema.ts";
import { ownDatabase } from "#tests/support/own-database.ts";
import { findOpenInvitation, redeemInvitation } from "../accounts/redeem-invitation.ts";
import { removeAccount } from "../accounts/remove-account.ts";
import { addUser } from "../accounts/sign-up.ts";
import { db } from "../database.ts";
import { invitePerson, openInvitations, revokeInvitation } from "./invitations.ts";
import { promotePerson } from "./people.ts";

ownDatabase();
const NEW = { email: "new@example.com", admin: false };
const CHOSEN = { name: "New", password: "a password of my own", address: "192.0.2.1" };
let ada: User;

beforeEach(async () => {
  await db().delete(users);
  ada = await addUser({ email: "ada@example.com", name: "Ada", password: "ada's password" });
});

test("an invitation is listed until it is used, and all of it is in the audit log", async () => {
  const secret = secretOf(await invitePerson(ada, NEW));
  expect(await openInvitations()).toMatchObject([{ email: NEW.email, admin: false, invitedBy: ada.email }]);
  expect(await findOpenInvitation(secret, CHOSEN.address)).toMatchObject({ email: NEW.email });
  const joined = await redeemInvitation(secret, CHOSEN);
  expect(joined).toMatchObject({ email: NEW.email, name: "New", admin: false });
  expect(await openInvitations()).toEqual([]);

  await invitePerson(ada, { email: "late@example.com", admin: true });
  const [open] = await openInvitations();
  await revokeInvitation(ada, open?.id ?? "");
  await expect(revokeInvitation(ada, open?.id ?? "")).rejects.toMatchObject({ code: "not_found" });
  const entries = await listAudit(db(), {}, 4);
  expect(entries.map(({ actor, action, subject }) => [actor, action, subject])).toEqual([
    [ada.email, "invitation.revoked", "late@example.com"],
    [ada.email, "user.invited_as_admin", "late@example.com"],
    [NEW.email, "user.joined", NEW.email],
    [ada.email, "user.invited", NEW.email],
  ]);
  expect(JSON.stringify(entries)).not.toContain(secret);
});

test("somebody who made an account meanwhile keeps it as it is", async () => {
  const secret = secretOf(await invitePerson(ada, { ...NEW, admin: true }));
  await addUser({ email: "NEW@example.com", name: "First", password: "another password" });
  await expect(redeemInvitation(secret, CHOSEN)).rejects.toMatchObject({ code: "conflict" });
  expect(await findUserByEmail(db(), NEW.email)).toMatchObject({ name: "First", admin: false });
  expect(await openInvitations()).toEqual([]);
});

test("invitations go with the administrator who gave them", async () => {
  const bob = await addUser({ email: "bob@example.com", name: "Bob", password: "bob's password" });
  await promotePerson(ada, bob.id);
  const secret = secretOf(await invitePerson(bob, NEW));
  await removeAccount(bob, ada, async () => undefined);
  await expect(redeemInvitation(secret, CHOSEN)).rejects.toMatchObject({ code: "not_found" });
});

test("what has expired is swept up with the next one", async () => {
  await invitePerson(ada, { ...NEW, email: "old@example.com" });
  await db()
    .update(invitations)
    .set({ expiresAt: new Date(Date.now() - 1000) });
  await invitePerson(ada, NEW);
  expect(await db().$count(invitations)).toBe(1);
});

function secretOf(link: string): string {
  expect(link).toMatch(/^http:\/\/localhost:\d+\/join#[\w-]{43}$/);
  return link.split("#")[1] ?? "";
}
