import { route } from "#app/_http/route.ts";
import { requireWebUser } from "#app/_http/web-guard.ts";
import { pulse } from "#lib/files/pulse.ts";

export const GET = route({ guard: requireWebUser, handle: ({ caller }) => pulse(caller.id) });
