import { requireWebUser } from "#app/_http/guards.ts";
import { route } from "#app/_http/route.ts";
import { modelKeysOf } from "#lib/models/model-keys.ts";

export const GET = route({ guard: requireWebUser, handle: ({ caller }) => modelKeysOf(caller.id) });
