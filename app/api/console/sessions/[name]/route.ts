import { z } from "zod";
import { route } from "#app/_http/route.ts";
import { requireUser } from "#lib/auth/guards.ts";
import { session } from "#lib/console/content.ts";
import { runTool } from "#lib/executions/run-tool.ts";

/** Ends a session and its variables; the next cell begins a fresh one. */
export const DELETE = route({
  guard: requireUser,
  params: z.object({ name: session }),
  handle: async ({ caller, params }) => {
    const { structured } = await runTool({
      userId: caller.id,
      door: "console",
      name: "reset_session",
      arguments: { session: params.name },
    });
    return structured;
  },
});
