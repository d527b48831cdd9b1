// Which pages are ours. A browser says where a request comes from; a program says nothing, and has no cookie that another
// site could make it send.
import { env } from "#env.ts";
import { AppError } from "../app-error.ts";

/** The names this installation is reached by. */
export function ownHosts(): string[] {
  return ["localhost", "127.0.0.1", "[::1]", new URL(env().COVE_URL).hostname];
}

/** Pages of other sites have no business here, whatever cookie or token they got hold of. */
export function refuseOtherSites({ headers }: Request): void {
  const site = headers.get("sec-fetch-site") ?? "none";
  const origin = headers.get("origin");
  const isOwn = ["same-origin", "none"].includes(site) && (origin === null || isOwnOrigin(origin, headers));
  if (!isOwn) throw new AppError("forbidden", "This is not open to pages of other sites.");
}

/** The address we are known by, or the very one that this request was sent to; another port is another site. */
function isOwnOrigin(origin: string, headers: Headers): boolean {
  const url = URL.parse(origin);
  return url?.origin === new URL(env().COVE_URL).origin || url?.host === (headers.get("host") ?? "");
}
