import { findCredentials, findUser, type User } from "#db/queries/users.ts";
import { AppError } from "../app-error.ts";
import { db } from "../database.ts";
import { forgiveSignIn, limitSignIn } from "./attempt-limits.ts";
import { knownDevice } from "./known-devices.ts";
import { pretendToVerify, verifyPassword } from "./password.ts";

/** Where a sign-in comes from: its address, and what its browser carries of earlier ones. */
interface Origin {
  address: string;
  deviceNotes?: string;
}

/** The user with this e-mail and password. Unknown, wrong and disabled answer alike, in words and in time. */
export async function authenticate(
  email: string,
  password: string,
  { address, deviceNotes }: Origin,
): Promise<User> {
  const account = await findCredentials(db(), email);
  const attempt = { email, address, device: account && knownDevice(deviceNotes, account) };
  await limitSignIn(attempt);
  const right = account?.passwordHash
    ? await verifyPassword(password, account.passwordHash)
    : await pretendToVerify(password);
  const user = account && right && !account.disabledAt ? await findUser(db(), account.id) : undefined;
  if (!user) throw new AppError("unauthenticated", "The e-mail address or the password is not right.");
  await forgiveSignIn(attempt);
  return user;
}
