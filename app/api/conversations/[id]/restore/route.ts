import { requireWebUser } from "#app/_http/guards.ts";
import { route } from "#app/_http/route.ts";
import { restoreConversation } from "#lib/chats/conversations.ts";
import { conversationParams } from "../../params.ts";

export const POST = route({
  guard: requireWebUser,
  params: conversationParams,
  handle: async ({ caller, params }) => {
    await restoreConversation(caller.id, params.id);
    return {};
  },
});
