import { z } from "zod";
import { route } from "#app/_http/route.ts";
import { requireUser } from "#lib/auth/guards.ts";
import { deleteEverything } from "#lib/own-sandbox/control.ts";

export const POST = route({
  guard: requireUser,
  body: z.object({ confirmation: z.string().max(100) }),
  handle: async ({ caller, body }) => {
    await deleteEverything(caller.id, body.confirmation);
    return {};
  },
});
