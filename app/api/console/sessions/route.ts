import { route } from "#app/_http/route.ts";
import { requireUser } from "#lib/auth/guards.ts";
import { sessionsOf } from "#lib/console/sessions.ts";

export const GET = route({
  guard: requireUser,
  handle: async ({ caller }) => ({ sessions: await sessionsOf(caller.id) }),
});
