import { z } from "zod";
import { route } from "#app/_http/route.ts";
import { requireUser } from "#lib/auth/guards.ts";
import { LONGEST_CODE, session } from "#lib/console/content.ts";
import { completeCode } from "#lib/console/sessions.ts";

export const POST = route({
  guard: requireUser,
  body: z.object({ session, code: z.string().max(LONGEST_CODE), cursor: z.int().min(0) }),
  handle: ({ caller, body }) => completeCode(caller.id, body),
});
