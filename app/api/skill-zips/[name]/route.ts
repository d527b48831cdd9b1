import { z } from "zod";
import { requireWebUser } from "#app/_http/guards.ts";
import { contentDisposition } from "#app/_http/headers.ts";
import { route } from "#app/_http/route.ts";
import { limitRate } from "#lib/rate-limit.ts";
import { zipSkill } from "#lib/skills/view-skill.ts";

export const GET = route({
  guard: requireWebUser,
  params: z.object({ name: z.string().max(200) }),
  handle: async ({ caller, params }) => {
    limitRate(caller.id);
    const zip = await zipSkill(caller.id, params.name);
    return new Response(new Uint8Array(zip), {
      headers: {
        "content-type": "application/zip",
        "content-disposition": contentDisposition(`${params.name}.zip`),
        "cache-control": "no-store, no-transform",
      },
    });
  },
});
