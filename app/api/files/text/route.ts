import { z } from "zod";
import { requireWebUser } from "#app/_http/guards.ts";
import { route } from "#app/_http/route.ts";
import { readText, saveText } from "#lib/files/edit-text.ts";
import { pathsOf, workspacePath } from "../query.ts";

export const GET = route({
  guard: requireWebUser,
  handle: ({ caller, request }) => readText(caller.id, pathsOf(request)[0]),
});

export const PUT = route({
  guard: requireWebUser,
  body: z.object({ path: workspacePath, text: z.string(), seen: z.string().max(64).nullable() }),
  handle: ({ caller, body }) => saveText(caller.id, body),
});
