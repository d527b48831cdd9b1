import { idParams } from "#app/_http/id-params.ts";
import { route } from "#app/_http/route.ts";
import { FRAME_POLICY } from "#app/_preview/frame-policies.ts";
import { artifactFor } from "#lib/artifacts/reader.ts";
import { requireUser } from "#lib/auth/guards.ts";
import { sendArtifact, sendPreview } from "../../../send-artifact.ts";

/**
 * For the viewer's frame. A page's scripts run only there, and with `?run`, which the viewer asks for when the browser confines
 * them or the person said so: as a page of its own it is as still as the contents' own address.
 */
export const GET = route({
  guard: requireUser,
  params: idParams,
  handle: async ({ caller, params, request }) => {
    const artifact = await artifactFor(caller, params.id);
    if (artifact.mime !== "text/html" || artifact.size === 0) {
      return sendArtifact(request, artifact, { policy: FRAME_POLICY });
    }
    const run = new URL(request.url).searchParams.has("run") && isFramedByUs(request);
    return sendPreview(artifact, { run });
  },
});

function isFramedByUs({ headers }: Request): boolean {
  return headers.get("sec-fetch-dest") === "iframe" && headers.get("sec-fetch-site") === "same-origin";
}
