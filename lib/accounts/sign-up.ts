import { insertUser, type User } from "#db/queries/users.ts";
import { env } from "#env.ts";
import { AppError } from "../app-error.ts";
import { writeAudit } from "../audit.ts";
import { hashPassword } from "../auth/password.ts";
import { db } from "../database.ts";
import { limitAttempts } from "./attempt-limits.ts";

interface SignUp {
  email: string;
  name: string;
  password: string;
  address: string;
}

export async function signUp({ email, name, password, address }: SignUp): Promise<User> {
  requireOpenSignUp();
  await limitAttempts("sign-up:address", address);
  const user = await addUser({ email, name, password });
  await writeAudit(user, "user.added", { id: user.id, name: user.email });
  return user;
}

/** Adds an account without asking whether sign-up is open: the command line's way in. */
export async function addUser(user: { email: string; name: string; password: string; admin?: boolean }) {
  const { password, ...rest } = user;
  const added = await insertUser(db(), { ...rest, passwordHash: await hashPassword(password) });
  if (!added) {
    throw new AppError("conflict", "There is already an account with this e-mail address.", {
      field: "email",
    });
  }
  return added;
}

export function requireOpenSignUp(): void {
  if (env().COVE_SIGNUP === "closed") {
    throw new AppError("forbidden", "Sign-up is closed here. Ask your administrator for an account.");
  }
}
