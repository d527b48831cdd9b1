import { z } from "zod";
import { requireWebUser } from "#app/_http/guards.ts";
import { route } from "#app/_http/route.ts";
import { moveFile } from "#lib/files/change-files.ts";
import { workspacePath } from "../query.ts";

export const POST = route({
  guard: requireWebUser,
  body: z.object({ from: workspacePath, to: workspacePath }),
  async handle({ caller, body }) {
    await moveFile(caller.id, body);
    return { moved: true };
  },
});
