import type { User } from "#db/queries/users.ts";
import { AppError } from "../app-error.ts";
import { requirePassword } from "./own-account.ts";
import { removeAccount } from "./remove-account.ts";

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
