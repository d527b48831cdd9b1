import { z } from "zod";
import { route } from "#app/_http/route.ts";
import { requireUser } from "#lib/auth/guards.ts";
import { deleteConsole, openConsole, saveConsole } from "#lib/console/consoles.ts";
import { content } from "#lib/console/content.ts";

const params = z.object({ id: z.uuid() });

export const GET = route({
  guard: requireUser,
  params,
  handle: ({ caller, params }) => openConsole(caller.id, params.id),
});

/** Saves what was changed of `version`. 409 when somebody saved another one meanwhile. */
export const PUT = route({
  guard: requireUser,
  params,
  body: content.extend({ version: z.int().min(1) }),
  handle: async ({ caller, params, body: { version, ...rest } }) => ({
    version: await saveConsole(caller.id, params.id, version, rest),
  }),
});

export const DELETE = route({
  guard: requireUser,
  params,
  handle: async ({ caller, params }) => {
    await deleteConsole(caller.id, params.id);
    return {};
  },
});
