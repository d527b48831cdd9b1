import { requireWebUser } from "#app/_http/guards.ts";
import { route } from "#app/_http/route.ts";
import { diskUse } from "#lib/files/disk-use.ts";

export const GET = route({ guard: requireWebUser, handle: ({ caller }) => diskUse(caller.id) });
