import { Readable } from "node:stream";
import { contentDisposition } from "#app/_http/content-disposition.ts";
import { route } from "#app/_http/route.ts";
import { requireWebUser } from "#app/_http/web-guard.ts";
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
