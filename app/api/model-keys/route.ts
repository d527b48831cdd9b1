import { route } from "#app/_http/route.ts";
import { requireWebUser } from "#app/_http/same-origin.ts";
import { modelKeysOf } from "#lib/models/model-keys.ts";

export const GET = route({ guard: requireWebUser, handle: ({ caller }) => modelKeysOf(caller.id) });
