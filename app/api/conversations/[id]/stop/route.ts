import { requireWebUser } from "#app/_http/guards.ts";
import { idParams } from "#app/_http/id-params.ts";
import { route } from "#app/_http/route.ts";
import { stopTurn } from "#lib/chats/follow-turn.ts";

export const POST = route({
  guard: requireWebUser,
  params: idParams,
  handle: ({ caller, params }) => stopTurn(caller.id, params.id),
});
