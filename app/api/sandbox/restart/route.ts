import { z } from "zod";
import { route } from "#app/_http/route.ts";
import { requireUser } from "#lib/auth/guards.ts";
import { restartSandbox } from "#lib/own-sandbox/control.ts";

export const POST = route({
  guard: requireUser,
  // Only our own pages can send JSON here.
  body: z.object({}),
  handle: async ({ caller }) => {
    await restartSandbox(caller.id);
    return {};
  },
});
