import { route } from "#app/_http/route.ts";
import { requireWebUser } from "#app/_http/web-guard.ts";
import { listModels } from "#lib/models/list-models.ts";

export const GET = route({ guard: requireWebUser, handle: ({ caller }) => listModels(caller.id) });
