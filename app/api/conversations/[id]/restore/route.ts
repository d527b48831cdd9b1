import { requireWebUser } from "#app/_http/guards.ts";
import { idParams } from "#app/_http/id-params.ts";
import { route } from "#app/_http/route.ts";
import { restoreConversation } from "#lib/chats/conversations.ts";

export const POST = route({
  guard: requireWebUser,
  params: idParams,
  handle: async ({ caller, params }) => {
    await restoreConversation(caller.id, params.id);
    return {};
  },
});
