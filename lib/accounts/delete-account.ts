import { deleteUser, isLastAdmin, setDisabled, type User } from "#db/queries/users.ts";
import { AppError } from "../app-error.ts";
import { sweepThese } from "../artifacts/sweep-blobs.ts";
import { writeAudit } from "../audit.ts";
import { db } from "../database.ts";
import { forgiveAttempts } from "./attempt-limits.ts";
import { requirePassword } from "./own-account.ts";

/**
 * Removes the account and everything that belongs to it. First nobody gets in any more, by session or by token; then what
 * runs is ended, while it is still known whose it is; then the rows go, and last the contents that nobody else has.
 */
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
  if (await isLastAdmin(db(), user.id)) {
    throw new AppError(
      "conflict",
      "You are the only administrator and others have accounts here. Make another administrator first.",
    );
  }
  await setDisabled(db(), user.id, true);
  try {
    await endWhatRuns(user.id);
  } catch (error) {
    // The engine is away, say. Whoever can't be removed yet can still come in and try again.
    await setDisabled(db(), user.id, false);
    throw error;
  }
  await sweepThese(await deleteUser(db(), user.id));
  await forgiveAttempts("sign-in:account", user.email);
  await writeAudit(user, "user.deleted", { id: user.id, name: user.email });
}
