import { requireWebUser } from "#app/_http/guards.ts";
import { idParams } from "#app/_http/id-params.ts";
import { route } from "#app/_http/route.ts";
import { attachFile } from "#lib/chats/attach-file.ts";

/** The body is the file itself, streamed into the workspace as it arrives. */
export const POST = route({
  guard: requireWebUser,
  params: idParams,
  handle: ({ caller, params, request }) =>
    attachFile(caller.id, params.id, {
      name: new URL(request.url).searchParams.get("name") ?? "",
      body: request.body,
      signal: request.signal,
    }),
});
