import { requireWebUser } from "#app/_http/guards.ts";
import { route } from "#app/_http/route.ts";
import { listModels } from "#lib/models/list-models.ts";

export const GET = route({ guard: requireWebUser, handle: ({ caller }) => listModels(caller.id) });
