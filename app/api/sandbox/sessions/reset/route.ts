import { z } from "zod";
import { route } from "#app/_http/route.ts";
import { requireUser } from "#lib/auth/guards.ts";
import { resetPythonSession } from "#lib/own-sandbox/control.ts";

export const POST = route({
  guard: requireUser,
  body: z.object({ name: z.string().min(1).max(64) }),
  handle: async ({ caller, body }) => {
    await resetPythonSession(caller.id, body.name);
    return {};
  },
});
