import { requireUser, type SignedInUser } from "#lib/auth/guards.ts";
import { refuseOtherSites } from "#lib/auth/own-origin.ts";

/** `requireUser` for handlers that our own pages call: not even what only reads is for other sites to ask. */
export async function requireWebUser(request: Request): Promise<SignedInUser> {
  refuseOtherSites(request);
  return requireUser();
}
