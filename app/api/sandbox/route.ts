import { route } from "#app/_http/route.ts";
import { requireUser } from "#lib/auth/guards.ts";
import { glanceSandbox } from "#lib/own-sandbox/glance.ts";

export const GET = route({ guard: requireUser, handle: ({ caller }) => glanceSandbox(caller.id) });
