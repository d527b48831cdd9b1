import { route } from "#app/_http/route.ts";
import { AppError } from "#lib/app-error.ts";
import { artifactFor, identifyReader } from "#lib/artifacts/reader.ts";
import { artifactParams } from "../../../params.ts";
import { sendArtifact } from "../../../send-artifact.ts";

/** The contents, for the owner or by a signed link. The name in the address is for people. */
export const GET = route({
  guard: identifyReader,
  params: artifactParams,
  handle: async ({ caller, params, request }) => {
    if (caller === "nobody") return askToSignIn(request);
    return sendArtifact(request, await artifactFor(caller, params.id));
  },
});

export const HEAD = GET;

/** A person is brought back here afterwards; a program is told. */
function askToSignIn(request: Request): Response {
  if (!request.headers.get("accept")?.includes("text/html")) {
    throw new AppError("unauthenticated", "Sign in, send an API token or use a signed link.");
  }
  const { pathname } = new URL(request.url);
  const [, id, name] = /^\/(?:api\/)?artifacts\/([^/]+)\/(?:content\/)?([^/]+)$/.exec(pathname) ?? [];
  const next = encodeURIComponent(`/artifacts/${id}/${name}`);
  return new Response(null, { status: 307, headers: { location: `/sign-in?next=${next}` } });
}
