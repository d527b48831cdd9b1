import { Readable } from "node:stream";
import { z } from "zod";
import { contentDisposition } from "#app/_http/headers.ts";
import { route } from "#app/_http/route.ts";
import { AppError } from "#lib/app-error.ts";
import { MOST_ZIPPED } from "#lib/artifacts/most-zipped.ts";
import { zipArtifacts } from "#lib/artifacts/zip-artifacts.ts";
import { requireUser } from "#lib/auth/guards.ts";

const idList = z.array(z.uuid()).min(1).max(MOST_ZIPPED);

/** Many at once, packed as they are sent. By address, so that a browser saves it without holding it. */
export const GET = route({
  guard: requireUser,
  handle: async ({ caller, request }) => {
    const ids = idList.safeParse(new URL(request.url).searchParams.get("ids")?.split(","));
    if (!ids.success) throw new AppError("bad_request", `Name 1 to ${MOST_ZIPPED} artifacts in \`ids\`.`);
    const zip = await zipArtifacts(caller.id, ids.data);
    return new Response(Readable.toWeb(zip) as ReadableStream, {
      headers: {
        "content-type": "application/zip",
        "content-disposition": contentDisposition("artifacts.zip"),
        "cache-control": "no-store, no-transform",
      },
    });
  },
});
