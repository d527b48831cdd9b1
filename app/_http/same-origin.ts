import { env } from "#env.ts";
import { AppError } from "#lib/app-error.ts";
import { requireUser, type SignedInUser } from "#lib/auth/guards.ts";

/** `requireUser` for handlers that a page of ours calls: what another site makes a browser send is turned away. */
export async function requireWebUser(request: Request): Promise<SignedInUser> {
  if (!/^(GET|HEAD)$/.test(request.method)) requireSameOrigin(request.headers);
  return requireUser();
}

function requireSameOrigin(headers: Headers): void {
  const site = headers.get("sec-fetch-site");
  const origin = headers.get("origin");
  const ours =
    (site === null || site === "same-origin" || site === "none") &&
    (origin === null || origin === env().COVE_URL || isHost(origin, headers.get("host")));
  if (!ours) throw new AppError("forbidden", "This request comes from another site.");
}

function isHost(origin: string, host: string | null): boolean {
  return host !== null && URL.canParse(origin) && new URL(origin).host === host;
}
