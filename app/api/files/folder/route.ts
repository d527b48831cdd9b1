import { z } from "zod";
import { requireWebUser } from "#app/_http/guards.ts";
import { route } from "#app/_http/route.ts";
import { makeFolder } from "#lib/files/change-files.ts";
import { workspacePath } from "../query.ts";

export const POST = route({
  guard: requireWebUser,
  body: z.object({ path: workspacePath }),
  async handle({ caller, body }) {
    await makeFolder(caller.id, body.path);
    return { made: true };
  },
});
