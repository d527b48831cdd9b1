// Administrators invite people by a link that they hand over themselves. It is for one address, once, for a week; its secret
// stands behind a `#`, which browsers send to nobody, so that it is in no log and no `Referer`.
import { randomBytes } from "node:crypto";
import { deleteInvitation, insertInvitation, listInvitations } from "#db/queries/invitations.ts";
import { findUserByEmail, type User } from "#db/queries/users.ts";
import { env } from "#env.ts";
import { hashSecret } from "../accounts/redeem-invitation.ts";
import { AppError } from "../app-error.ts";
import { type Actor, writeAudit } from "../audit.ts";
import { db } from "../database.ts";

const LIFETIME_MS = 7 * 24 * 60 * 60 * 1000;
const MOST_INVITATIONS = 200;

/** The link is in the answer and nowhere else: it can't be shown again. */
export async function invitePerson(
  admin: User,
  { email, admin: asAdmin }: { email: string; admin: boolean },
): Promise<string> {
  if (await findUserByEmail(db(), email)) {
    throw new AppError("conflict", "There is already an account with this e-mail address.", {
      field: "email",
    });
  }
  if ((await listInvitations(db())).length >= MOST_INVITATIONS) {
    throw new AppError(
      "conflict",
      `${MOST_INVITATIONS} invitations are open already. Revoke one that is no longer needed.`,
    );
  }
  const secret = randomBytes(32).toString("base64url");
  const expiresAt = new Date(Date.now() + LIFETIME_MS);
  const hash = hashSecret(secret);
  const { id } = await insertInvitation(db(), {
    email,
    admin: asAdmin,
    hash,
    invitedBy: admin.id,
    expiresAt,
  });
  await writeAudit(admin, asAdmin ? "user.invited_as_admin" : "user.invited", { id, name: email });
  return `${env().COVE_URL}/join#${secret}`;
}

export function openInvitations() {
  return listInvitations(db());
}

export async function revokeInvitation(admin: Actor, id: string): Promise<void> {
  const revoked = await deleteInvitation(db(), id);
  if (!revoked) throw new AppError("not_found", "There is no such invitation: it was used or revoked.");
  await writeAudit(admin, "invitation.revoked", { id, name: revoked.email });
}
