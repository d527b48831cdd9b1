// What people do to their own account.
import { deleteSession, endSessions, listSessions, type Session } from "#db/queries/sessions.ts";
import { findCredentials, hasPassword, type User, updateName } from "#db/queries/users.ts";
import { AppError } from "../app-error.ts";
import { db } from "../database.ts";
import { forgiveAttempts, limitAttempts } from "./attempt-limits.ts";
import { verifyPassword } from "./password.ts";
import { removeAccount } from "./remove-account.ts";
import { replacePassword } from "./replace-password.ts";

export async function rename(user: User, name: string): Promise<void> {
  await updateName(db(), user.id, name);
}

export function ownsPassword(user: User): Promise<boolean> {
  return hasPassword(db(), user.id);
}

/** Changes the password and signs out everywhere else: whoever knew the old one is out. Says how many tokens went along. */
export async function changePassword(
  user: User & { sessionId: string },
  { current, next, revokeTokens }: { current: string; next: string; revokeTokens?: boolean },
): Promise<number> {
  await limitAttempts("account:change", user.id);
  await requirePassword(user, current, "current");
  return replacePassword(user, { password: next, by: user, keepSession: user.sessionId, revokeTokens });
}

export function ownSessions(user: User): Promise<Session[]> {
  return listSessions(db(), user.id);
}

export async function endOwnSession(user: User, sessionId: string): Promise<void> {
  if (!(await deleteSession(db(), user.id, sessionId))) {
    throw new AppError("not_found", "That session has already ended.");
  }
}

export function endOtherSessions(user: User & { sessionId: string }): Promise<number> {
  return endSessions(db(), user.id, user.sessionId);
}

/** People who only ever came through GitHub or Google have no password to ask for. */
async function requirePassword(user: User, password: string, field: string): Promise<void> {
  const found = await findCredentials(db(), user.email);
  if (!found?.passwordHash) return;
  await limitAttempts("password:account", user.id);
  if (!(await verifyPassword(password, found.passwordHash))) {
    throw new AppError("forbidden", "That is not your password.", { field });
  }
  await forgiveAttempts("password:account", user.id);
}

/** By its owner, who says so twice: with the address and with the password. */
export async function deleteAccount(
  user: User,
  { confirmation, password }: { confirmation: string; password: string },
  endWhatRuns: (userId: string) => Promise<void>,
): Promise<void> {
  if (confirmation.trim().toLowerCase() !== user.email.toLowerCase()) {
    throw new AppError("bad_request", "Type your e-mail address exactly, to confirm.", {
      field: "confirmation",
    });
  }
  await requirePassword(user, password, "password");
  await removeAccount(user, user, endWhatRuns);
}
