import { z } from "zod";
import { eventStream } from "#app/_http/event-stream.ts";
import { route } from "#app/_http/route.ts";
import { requireUser } from "#lib/auth/guards.ts";
import { watchExecution } from "#lib/executions/follow.ts";
import { runTool } from "#lib/executions/run-tool.ts";
import { tellRun } from "../../tell-run.ts";

const params = z.object({ id: z.uuid() });

/** A run that was started earlier, told from its beginning. */
export const GET = route({
  guard: requireUser,
  params,
  handle: ({ caller, params }) =>
    eventStream(({ send, signal }) =>
      tellRun(send, ({ onOutput }) => watchExecution(caller.id, params.id, { onOutput, signal })),
    ),
});

/** Interrupts it; asked a second time, ends it and its session. */
export const DELETE = route({
  guard: requireUser,
  params,
  handle: async ({ caller, params }) => {
    const { structured } = await runTool({
      userId: caller.id,
      door: "console",
      name: "stop_execution",
      arguments: { execution_id: params.id },
    });
    return { status: structured.status };
  },
});
