import { AppError } from "#lib/app-error.ts";
import { requireUser, type SignedInUser } from "#lib/auth/guards.ts";
import { refuseOtherSites } from "#lib/auth/own-origin.ts";

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
