import { idParams } from "#app/_http/id-params.ts";
import { route } from "#app/_http/route.ts";
import { AppError } from "#lib/app-error.ts";
import { artifactFor, identifyReader } from "#lib/artifacts/reader.ts";
import { sendArtifact } from "../../../send-artifact.ts";

/** The contents, for the owner or by a signed link. The name in the address is for people. */
export const GET = route({
  guard: identifyReader,
  params: idParams,
  handle: async ({ caller, params, request }) => {
    if (caller === "nobody") return askToSignIn(request);
    const keep = "id" in caller && isPictureOfOurs(request);
    return sendArtifact(request, await artifactFor(caller, params.id), { keep });
  },
});

export const HEAD = GET;

/** A thumbnail, say, of which a gallery has many. Contents never change; one that was deleted is on no page of ours. */
function isPictureOfOurs({ headers }: Request): boolean {
  return headers.get("sec-fetch-dest") === "image" && headers.get("sec-fetch-site") === "same-origin";
}

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
