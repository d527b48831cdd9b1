import { Readable } from "node:stream";
import { requireWebUser } from "#app/_http/guards.ts";
import { contentDisposition } from "#app/_http/headers.ts";
import { route } from "#app/_http/route.ts";
import { zipFiles, zipTitle } from "#lib/files/zip-files.ts";
import { pathsOf } from "../query.ts";

export const GET = route({
  guard: requireWebUser,
  async handle({ caller, request }) {
    const paths = pathsOf(request);
    const zip = await zipFiles(caller.id, paths);
    return new Response(Readable.toWeb(zip) as ReadableStream, {
      headers: {
        "content-type": "application/zip",
        "content-disposition": contentDisposition(zipTitle(paths)),
        "cache-control": "no-store, no-transform",
      },
    });
  },
});
