// Pages of other sites have no business at our doors, whatever token they got hold of.
import { env } from "#env.ts";
import { AppError } from "../app-error.ts";

/** The names this installation is reached by. */
export function ownHosts(): string[] {
  return ["localhost", "127.0.0.1", "[::1]", new URL(env().COVE_URL).hostname];
}

/** Programs send no `Origin`; a browser always does for what another site asks of us. */
export function refuseForeignOrigin(request: Request): void {
  const origin = request.headers.get("origin");
  if (origin === null || (URL.canParse(origin) && ownHosts().includes(new URL(origin).hostname))) return;
  throw new AppError("forbidden", "This is not open to pages of other sites.");
}
