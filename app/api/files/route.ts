import { z } from "zod";
import { requireWebUser } from "#app/_http/guards.ts";
import { route } from "#app/_http/route.ts";
import { deleteFiles } from "#lib/files/change-files.ts";
import { listFolder } from "#lib/files/list-folder.ts";
import { pathFromText } from "#lib/files/workspace-path.ts";
import { parameterOf, pathsOf, workspacePath } from "./query.ts";

export const GET = route({
  guard: requireWebUser,
  handle({ caller, request }) {
    const [path] = pathsOf(request);
    const after = parameterOf(request, "after");
    return listFolder(caller.id, { path, ...(after && { after: pathFromText(after) }) });
  },
});

export const DELETE = route({
  guard: requireWebUser,
  body: z.object({ paths: z.array(workspacePath).min(1).max(1000) }),
  async handle({ caller, body }) {
    await deleteFiles(caller.id, body.paths);
    return { deleted: body.paths.length };
  },
});
