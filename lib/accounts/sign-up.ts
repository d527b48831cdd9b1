import { insertUser, type User } from "#db/queries/users.ts";
import { env } from "#env.ts";
import { AppError } from "../app-error.ts";
import { type Actor, writeAudit } from "../audit.ts";
import { db } from "../database.ts";
import { limitAddress } from "./attempt-limits.ts";
import { requireFirstAccountCode } from "./first-account.ts";
import { hashPassword } from "./password.ts";

interface SignUp {
  email: string;
  name: string;
  password: string;
  address: string;
  /** For the first account, where it needs one. */
  code?: string;
}

export async function signUp({ email, name, password, address, code }: SignUp): Promise<User> {
  requireOpenSignUp();
  await limitAddress("sign-up", address);
  await requireFirstAccountCode(code);
  return addUser({ email, name, password });
}

/** Adds an account without asking whether sign-up is open: the command line's way in. */
export async function addUser(
  user: { email: string; name: string; password: string; admin?: boolean },
  by?: Actor,
): Promise<User> {
  const { password, ...rest } = user;
  const added = await insertUser(db(), { ...rest, passwordHash: await hashPassword(password) });
  if (!added) {
    throw new AppError("conflict", "There is already an account with this e-mail address.", {
      field: "email",
    });
  }
  await writeAudit(by ?? added, "user.added", { id: added.id, name: added.email });
  return added;
}

export function requireOpenSignUp(): void {
  if (env().COVE_SIGNUP === "closed") {
    throw new AppError("forbidden", "Sign-up is closed here. Ask your administrator for an account.");
  }
}
