import { requireWebUser } from "#app/_http/guards.ts";
import { contentDisposition } from "#app/_http/headers.ts";
import { idParams } from "#app/_http/id-params.ts";
import { route } from "#app/_http/route.ts";
import { exportConversation } from "#lib/chats/export-conversation.ts";

export const GET = route({
  guard: requireWebUser,
  params: idParams,
  handle: async ({ caller, params }) => {
    const { filename, markdown } = await exportConversation(caller.id, params.id);
    return new Response(markdown, {
      headers: {
        "content-type": "text/markdown; charset=utf-8",
        "content-disposition": contentDisposition(filename),
        "cache-control": "no-store",
      },
    });
  },
});
