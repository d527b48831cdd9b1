import { z } from "zod";
import { requireWebUser } from "#app/_http/guards.ts";
import { idParams } from "#app/_http/id-params.ts";
import { route } from "#app/_http/route.ts";
import { deleteConversation, openConversation, renameConversation } from "#lib/chats/conversations.ts";

export const GET = route({
  guard: requireWebUser,
  params: idParams,
  handle: ({ caller, params, request }) => {
    const before = z.uuid().safeParse(new URL(request.url).searchParams.get("before")).data;
    return openConversation(caller.id, params.id, before ? { before } : {});
  },
});

export const PATCH = route({
  guard: requireWebUser,
  params: idParams,
  body: z.object({ title: z.string().trim().min(1).max(200) }),
  handle: async ({ caller, params, body }) => {
    await renameConversation(caller.id, params.id, body.title);
    return { title: body.title };
  },
});

export const DELETE = route({
  guard: requireWebUser,
  params: idParams,
  handle: async ({ caller, params }) => {
    await deleteConversation(caller.id, params.id);
    return {};
  },
});
