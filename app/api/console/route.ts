import { route } from "#app/_http/route.ts";
import { requireUser } from "#lib/auth/guards.ts";
import { createConsole } from "#lib/console/consoles.ts";
import { content } from "#lib/console/content.ts";

/** A new console, with whatever is in it already. */
export const POST = route({
  guard: requireUser,
  body: content,
  handle: async ({ caller, body }) => ({ id: (await createConsole(caller.id, body)).id }),
});
