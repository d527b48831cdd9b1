import { findUserByEmail, type User } from "#db/queries/users.ts";
import { AppError } from "#lib/app-error.ts";
import { db } from "#lib/database.ts";

export async function userNamed(email = ""): Promise<User> {
  const user = await findUserByEmail(db(), email);
  if (!user) throw new AppError("not_found", `There is no user ${email}.`);
  return user;
}
