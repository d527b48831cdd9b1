import { z } from "zod";
import { idParams } from "#app/_http/id-params.ts";
import { route } from "#app/_http/route.ts";
import { createLink, MOST_LINK_SECONDS, RESULT_LINK_SECONDS, revokeLinks } from "#lib/artifacts/links.ts";
import { requireUser } from "#lib/auth/guards.ts";

/** A link for sharing that needs no account. */
export const POST = route({
  guard: requireUser,
  params: idParams,
  body: z.object({
    expires_in: z.number().int().min(60).max(MOST_LINK_SECONDS).default(RESULT_LINK_SECONDS),
  }),
  handle: async ({ caller, params, body }) => {
    const { url, expiresAt } = await createLink(caller.id, params.id, body.expires_in);
    return { url, expires_at: expiresAt.toISOString() };
  },
});

/** Every link to it that was given out stops working. */
export const DELETE = route({
  guard: requireUser,
  params: idParams,
  handle: async ({ caller, params }) => {
    await revokeLinks(caller.id, params.id);
    return { revoked: true };
  },
});
