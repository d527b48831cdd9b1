// What people do to their own account.
import { deleteOtherSessions, deleteSession, listSessions, type Session } from "#db/queries/sessions.ts";
import {
  findCredentials,
  hasPassword,
  type User,
  updateName,
  updatePasswordHash,
} from "#db/queries/users.ts";
import { AppError } from "../app-error.ts";
import { writeAudit } from "../audit.ts";
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
  await writeAudit(user, "user.password_changed", { id: user.id, name: user.email });
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

/** People who only ever came through GitHub or Google have no password to ask for. */
export async function requirePassword(user: User, password: string, field: string): Promise<void> {
  const found = await findCredentials(db(), user.email);
  if (!found?.passwordHash) return;
  await limitAttempts("password:account", user.id);
  if (!(await verifyPassword(password, found.passwordHash))) {
    throw new AppError("forbidden", "That is not your password.", { field });
  }
  await forgiveAttempts("password:account", user.id);
}
