import { z } from "zod";
import { requireWebUser } from "#app/_http/guards.ts";
import { route } from "#app/_http/route.ts";
import { createConversation, listConversations } from "#lib/chats/conversations.ts";

export const GET = route({
  guard: requireWebUser,
  handle: ({ caller, request }) => {
    const { searchParams } = new URL(request.url);
    return listConversations(caller.id, {
      q: searchParams.get("q")?.slice(0, 200),
      cursor: searchParams.get("cursor")?.slice(0, 200),
    });
  },
});

export const POST = route({
  guard: requireWebUser,
  body: z.object({}),
  handle: async ({ caller }) => ({ id: await createConversation(caller.id) }),
});
