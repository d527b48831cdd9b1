import { z } from "zod";
import { requireWebUser } from "#app/_http/guards.ts";
import { idParams } from "#app/_http/id-params.ts";
import { route } from "#app/_http/route.ts";
import { regenerate } from "#lib/chats/start-turn.ts";

export const POST = route({
  guard: requireWebUser,
  params: idParams,
  body: z.object({ model: z.string().max(250).optional() }),
  handle: async ({ caller, params, body }) =>
    Response.json(await regenerate(caller.id, params.id, body.model), {
      status: 202,
      headers: { "cache-control": "no-store" },
    }),
});
