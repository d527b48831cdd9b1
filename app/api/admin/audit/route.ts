import { Readable } from "node:stream";
import { requireWebAdmin } from "#app/_http/guards.ts";
import { route } from "#app/_http/route.ts";
import { exportAudit } from "#lib/audit.ts";

export const GET = route({
  guard: requireWebAdmin,
  handle: ({ request }) => {
    const { searchParams } = new URL(request.url);
    const filter = {
      text: searchParams.get("q") ?? undefined,
      action: searchParams.get("action") ?? undefined,
    };
    const body = Readable.toWeb(Readable.from(exportAudit(filter), { objectMode: false }));
    return new Response(body as ReadableStream, {
      headers: {
        "content-type": "text/csv; charset=utf-8",
        "content-disposition": 'attachment; filename="audit.csv"',
        "cache-control": "no-store, no-transform",
      },
    });
  },
});
