// The way in for somebody who was invited, whether sign-up is open or not.
import { createHash } from "node:crypto";
import { findInvitation, type Invitation, redeemInvitation as redeem } from "#db/queries/invitations.ts";
import type { User } from "#db/queries/users.ts";
import { AppError } from "../app-error.ts";
import { writeAudit } from "../audit.ts";
import { db } from "../database.ts";
import { limitAddress } from "./attempt-limits.ts";
import { hashPassword } from "./password.ts";

/** Made up, expired, revoked and used look the same from outside. */
export async function findOpenInvitation(secret: string, address: string): Promise<Invitation> {
  await limitAddress("invitation", address);
  const invitation = await findInvitation(db(), hashSecret(secret));
  if (!invitation) throw notValid();
  return invitation;
}

/** Adds the account with the address that was invited: whoever joins chooses a name and a password, and nothing else. */
export async function redeemInvitation(
  secret: string,
  { name, password, address }: { name: string; password: string; address: string },
): Promise<User> {
  // Looked at first: hashing a password is not for whoever made a link up.
  await findOpenInvitation(secret, address);
  const joined = await redeem(db(), hashSecret(secret), { name, passwordHash: await hashPassword(password) });
  if (!joined) throw notValid();
  if (joined === "taken") {
    throw new AppError("conflict", "There is already an account with this e-mail address. Sign in instead.");
  }
  await writeAudit(joined, "user.joined", { id: joined.id, name: joined.email });
  return joined;
}

export function hashSecret(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}

function notValid(): AppError {
  return new AppError(
    "not_found",
    "This invitation is not valid: it was used or revoked, or it has expired. Ask your administrator for a new one.",
  );
}
