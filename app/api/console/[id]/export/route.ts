import { z } from "zod";
import { route } from "#app/_http/route.ts";
import { requireUser } from "#lib/auth/guards.ts";
import { content } from "#lib/console/content.ts";
import { exportConsole } from "#lib/console/export-console.ts";

/** A notebook of the cells that are sent, saved or not, with the output of their runs. */
export const POST = route({
  guard: requireUser,
  params: z.object({ id: z.uuid() }),
  body: content,
  handle: async ({ caller, params, body }) =>
    new Response(await exportConsole(caller.id, params.id, body), {
      headers: { "content-type": "application/x-ipynb+json", "cache-control": "no-store" },
    }),
});
