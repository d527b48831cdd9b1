import { AppError } from "#lib/app-error.ts";
import { requireUser, type SignedInUser } from "#lib/auth/guards.ts";

/**
 * `requireUser` for handlers that our own pages call. The cookie isn't sent along by other sites; this refuses them even if
 * it were. A program that sends neither header is no browser, and has no cookie to be tricked out of.
 */
export async function requireWebUser(request: Request): Promise<SignedInUser> {
  const site = request.headers.get("sec-fetch-site");
  const origin = request.headers.get("origin");
  const ours = site
    ? site === "same-origin" || (site === "none" && request.method === "GET")
    : !origin || URL.parse(origin)?.host === request.headers.get("host");
  if (!ours) throw new AppError("forbidden", "This request came from another site.");
  return requireUser();
}

export async function requireWebAdmin(request: Request): Promise<SignedInUser> {
  const user = await requireWebUser(request);
  // As if it weren't there: what administrators have is nobody else's business.
  if (!user.admin) throw new AppError("not_found", "There is nothing here.");
  return user;
}
