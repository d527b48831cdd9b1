import { headers } from "next/headers";
import { notFound, redirect } from "next/navigation";
import { AppError } from "#lib/app-error.ts";
import { requireUser, type SignedInUser } from "#lib/auth/guards.ts";

/** `requireUser` for pages: who isn't signed in is sent to sign in and brought back afterwards. */
export async function requirePageUser(): Promise<SignedInUser> {
  const user = await currentUser();
  if (user) return user;
  const path = (await headers()).get("x-cove-path") ?? "/chat";
  redirect(`/sign-in?next=${encodeURIComponent(path)}`);
}

export async function currentUser(): Promise<SignedInUser | undefined> {
  return requireUser().catch((error) => {
    if (error instanceof AppError && error.code === "unauthenticated") return undefined;
    throw error;
  });
}

/** For pages of administrators. To everybody else they don't exist. */
export async function requirePageAdmin(): Promise<SignedInUser> {
  const user = await requirePageUser();
  if (!user.admin) notFound();
  return user;
}
