import { closeAccount } from "#db/queries/people.ts";
import { deleteUser, setDisabled, type User } from "#db/queries/users.ts";
import { AppError } from "../app-error.ts";
import { type Actor, writeAudit } from "../audit.ts";
import { sweepThese } from "../blobs/sweep-blobs.ts";
import { db } from "../database.ts";
import { forgiveAccount } from "./attempt-limits.ts";

/**
 * Removes an account and everything that belongs to it. First nobody gets in any more, by session or by token; then what
 * runs is ended, while it is still known whose it is; then the rows go, and last the contents that nobody else has.
 */
export async function removeAccount(
  user: User,
  by: Actor,
  endWhatRuns: (userId: string) => Promise<void>,
): Promise<void> {
  const closed = await closeAccount(db(), user.id);
  if (closed === "last admin") throw lastAdministrator(user);
  if (!closed) throw new AppError("not_found", `There is no user ${user.email}.`);
  try {
    await endWhatRuns(user.id);
  } catch (error) {
    // The engine is away, say. Whoever can't be removed yet can still come in, if they could before.
    await setDisabled(db(), user.id, closed.wasDisabled);
    throw error;
  }
  await sweepThese(await deleteUser(db(), user.id));
  await forgiveAccount(user);
  await writeAudit(by, "user.deleted", { id: user.id, name: user.email });
}

export function lastAdministrator({ email }: User): AppError {
  return new AppError(
    "conflict",
    `${email} is the only administrator, and others have accounts here. Make another administrator first.`,
  );
}
