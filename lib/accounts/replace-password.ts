import { replacePasswordHash } from "#db/queries/passwords.ts";
import type { User } from "#db/queries/users.ts";
import { type Actor, writeAudit } from "../audit.ts";
import { db } from "../database.ts";
import { forgiveAccount } from "./attempt-limits.ts";
import { hashPassword } from "./password.ts";

interface Replacement {
  password: string;
  by: Actor;
  /** The web session that stays: of somebody who changes their own. */
  keepSession?: string;
  revokeTokens?: boolean;
}

/** The one way to a new password, whoever gives it. Says how many API tokens went with the old one. */
export async function replacePassword(
  user: User,
  { password, by, keepSession, revokeTokens }: Replacement,
): Promise<number> {
  const passwordHash = await hashPassword(password);
  const revoked = await replacePasswordHash(db(), user.id, { passwordHash, keepSession, revokeTokens });
  await forgiveAccount(user);
  const action = by.id === user.id ? "user.password_changed" : "user.password_reset";
  await writeAudit(by, action, { id: user.id, name: user.email });
  for (const token of revoked) await writeAudit(by, "token.revoked", token);
  return revoked.length;
}
