import { z } from "zod";
import { route } from "#app/_http/route.ts";
import { AppError } from "#lib/app-error.ts";
import { deleteArtifacts } from "#lib/artifacts/delete-artifacts.ts";
import { KINDS } from "#lib/artifacts/describe-type.ts";
import { listArtifacts, SORTS } from "#lib/artifacts/list-artifacts.ts";
import { requireUser } from "#lib/auth/guards.ts";

const filter = z.object({
  kind: z.enum(KINDS).optional(),
  door: z.string().max(20).optional(),
  conversation: z.uuid().optional(),
  query: z.string().max(200).optional(),
  sort: z.enum(SORTS).default("newest"),
  cursor: z.string().max(8192).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(60),
});

/** A page of the gallery, for whoever scrolls on. */
export const GET = route({
  guard: requireUser,
  handle: async ({ caller, request }) => {
    const parameters = filter.safeParse(Object.fromEntries(new URL(request.url).searchParams));
    if (!parameters.success)
      throw new AppError("bad_request", "There is no such way to narrow or sort artifacts.");
    const { conversation, ...rest } = parameters.data;
    return listArtifacts(caller.id, { ...rest, conversationId: conversation });
  },
});

export const DELETE = route({
  guard: requireUser,
  body: z.object({
    ids: z.array(z.uuid()).min(1).max(1000),
    only_these: z.boolean().default(false).describe("Leave other versions of the same path."),
  }),
  handle: async ({ caller, body }) => ({
    deleted: await deleteArtifacts(caller.id, body.ids, { onlyThese: body.only_these }),
  }),
});
