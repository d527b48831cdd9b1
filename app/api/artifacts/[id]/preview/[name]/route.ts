import { route } from "#app/_http/route.ts";
import { artifactFor } from "#lib/artifacts/reader.ts";
import { requireUser } from "#lib/auth/guards.ts";
import { artifactParams } from "../../../params.ts";
import { FRAME_POLICY, PREVIEW_POLICY, sendArtifact } from "../../../send-artifact.ts";

/** For the viewer's frame. Scripts run only there: as a page of its own it is as still as the contents' own address. */
export const GET = route({
  guard: requireUser,
  params: artifactParams,
  handle: async ({ caller, params, request }) => {
    const artifact = await artifactFor(caller, params.id);
    return sendArtifact(request, artifact, { policy: isFramedByUs(request) ? PREVIEW_POLICY : FRAME_POLICY });
  },
});

function isFramedByUs({ headers }: Request): boolean {
  return headers.get("sec-fetch-dest") === "iframe" && headers.get("sec-fetch-site") === "same-origin";
}
