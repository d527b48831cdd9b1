// What people do to their own account.
import { deleteOtherSessions, deleteSession, listSessions, type Session } from "#db/queries/sessions.ts";
import {
  deleteUser,
  findCredentials,
  hasPassword,
  isLastAdmin,
  type User,
  updateName,
  updatePasswordHash,
} from "#db/queries/users.ts";
import { AppError } from "../app-error.ts";
import { hashPassword, verifyPassword } from "../auth/password.ts";
import { db } from "../database.ts";
import { forgiveAttempts, limitAttempts } from "./attempt-limits.ts";

export async function rename(user: User, name: string): Promise<void> {
  await updateName(db(), user.id, name);
}

export function ownsPassword(user: User): Promise<boolean> {
  return hasPassword(db(), user.id);
}

/** Changes the password and signs out everywhere else: whoever knew the old one is out. */
export async function changePassword(
  user: User & { sessionId: string },
  { current, next }: { current: string; next: string },
): Promise<void> {
  await requirePassword(user, current, "current");
  await updatePasswordHash(db(), user.id, await hashPassword(next));
  await deleteOtherSessions(db(), user.id, user.sessionId);
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
  return deleteOtherSessions(db(), user.id, user.sessionId);
}

/** Removes the account and everything that belongs to it; the sandbox first, while it is still known whose it is. */
export async function deleteAccount(
  user: User,
  { confirmation, password }: { confirmation: string; password: string },
  destroySandbox: (userId: string) => Promise<void>,
) {
  if (confirmation.trim().toLowerCase() !== user.email.toLowerCase()) {
    throw new AppError("bad_request", "Type your e-mail address exactly, to confirm.", {
      field: "confirmation",
    });
  }
  await requirePassword(user, password, "password");
  if (await isLastAdmin(db(), user.id)) {
    throw new AppError(
      "conflict",
      "You are the only administrator and others have accounts here. Make another administrator first.",
    );
  }
  await destroySandbox(user.id);
  await deleteUser(db(), user.id);
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
