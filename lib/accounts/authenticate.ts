import { findCredentials, findUser, type User } from "#db/queries/users.ts";
import { AppError } from "../app-error.ts";
import { pretendToVerify, verifyPassword } from "../auth/password.ts";
import { db } from "../database.ts";
import { forgiveAttempts, limitAttempts } from "./attempt-limits.ts";

/** The user with this e-mail and password. Unknown, wrong and disabled answer alike, in words and in time. */
export async function authenticate(email: string, password: string, address: string): Promise<User> {
  await limitAttempts("sign-in:address", address);
  await limitAttempts("sign-in:account", email);
  const found = await findCredentials(db(), email);
  const right = found?.passwordHash
    ? await verifyPassword(password, found.passwordHash)
    : await pretendToVerify(password);
  const user = found && right && !found.disabledAt ? await findUser(db(), found.id) : undefined;
  if (!user) throw new AppError("unauthenticated", "The e-mail address or the password is not right.");
  await forgiveAttempts("sign-in:account", email);
  return user;
}
