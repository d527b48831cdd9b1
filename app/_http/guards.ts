import { headers } from "next/headers";
import { notFound, redirect } from "next/navigation";
import { AppError } from "#lib/app-error.ts";
import { requireUser, type SignedInUser } from "#lib/auth/guards.ts";
import { refuseOtherSites } from "#lib/auth/own-origin.ts";

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

/** `requireUser` for handlers that our own pages call: not even what only reads is for other sites to ask. */
export async function requireWebUser(request: Request): Promise<SignedInUser> {
  refuseOtherSites(request);
  return requireUser();
}

export async function requireWebAdmin(request: Request): Promise<SignedInUser> {
  const user = await requireWebUser(request);
  // As if it weren't there: what administrators have is nobody else's business.
  if (!user.admin) throw new AppError("not_found", "There is nothing here.");
  return user;
}
