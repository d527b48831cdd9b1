import { requireWebUser } from "#app/_http/guards.ts";
import { route } from "#app/_http/route.ts";
import { pulse } from "#lib/files/pulse.ts";

export const GET = route({ guard: requireWebUser, handle: ({ caller }) => pulse(caller.id) });
