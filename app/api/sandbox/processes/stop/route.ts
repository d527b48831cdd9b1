import { z } from "zod";
import { route } from "#app/_http/route.ts";
import { requireUser } from "#lib/auth/guards.ts";
import { stopProcess } from "#lib/own-sandbox/control.ts";

export const POST = route({
  guard: requireUser,
  body: z.object({ pid: z.int().positive(), started: z.int().nonnegative() }),
  handle: async ({ caller, body }) => {
    await stopProcess(caller.id, body);
    return {};
  },
});
