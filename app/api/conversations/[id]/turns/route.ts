import { z } from "zod";
import { requireWebUser } from "#app/_http/guards.ts";
import { idParams } from "#app/_http/id-params.ts";
import { route } from "#app/_http/route.ts";
import { startTurn } from "#lib/chats/start-turn.ts";

const attached = z
  .string()
  .max(1000)
  .regex(/^\/workspace\/uploads\/[^/\0\n]+$/, "is not an uploaded file");

/** Answers at once; the turn itself runs in the server and is followed at `stream`. */
export const POST = route({
  guard: requireWebUser,
  params: idParams,
  body: z
    .object({
      text: z.string().max(200_000),
      files: z.array(attached).max(20).optional(),
      model: z.string().max(250).optional(),
      replaces: z.uuid().optional(),
    })
    .refine(({ text, files }) => text.trim() || files?.length, { path: ["text"], error: "says nothing" }),
  handle: async ({ caller, params, body }) =>
    Response.json(await startTurn(caller.id, params.id, body), {
      status: 202,
      headers: { "cache-control": "no-store" },
    }),
});
