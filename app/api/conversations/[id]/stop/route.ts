import { requireWebUser } from "#app/_http/guards.ts";
import { route } from "#app/_http/route.ts";
import { stopTurn } from "#lib/chats/follow-turn.ts";
import { conversationParams } from "../../params.ts";

export const POST = route({
  guard: requireWebUser,
  params: conversationParams,
  handle: ({ caller, params }) => stopTurn(caller.id, params.id),
});
