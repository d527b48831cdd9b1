import { env } from "#env.ts";
import { AppError } from "#lib/app-error.ts";

/** A browser brings the cookie along for whoever makes it; what another site has it send changes nothing here. */
export function refuseOtherSites(request: Request): void {
  if (/^(GET|HEAD|OPTIONS)$/.test(request.method) || !request.headers.has("cookie")) return;
  const site = request.headers.get("sec-fetch-site");
  const origin = request.headers.get("origin");
  const ours =
    (site === null || site === "same-origin" || site === "none") &&
    (origin === null || origin === env().COVE_URL || isHost(origin, request.headers.get("host")));
  if (!ours) throw new AppError("forbidden", "This request comes from another site.");
}

function isHost(origin: string, host: string | null): boolean {
  return host !== null && URL.canParse(origin) && new URL(origin).host === host;
}
