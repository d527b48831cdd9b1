import { z } from "zod";
import { eventStream } from "#app/_http/event-stream.ts";
import { route } from "#app/_http/route.ts";
import { requireUser } from "#lib/auth/guards.ts";
import { cell, session } from "#lib/console/content.ts";
import { runCell } from "#lib/console/run-cell.ts";
import { tellRun } from "../../tell-run.ts";

/** Runs a cell and tells it as it happens. Whoever stops listening does not stop the run. */
export const POST = route({
  guard: requireUser,
  params: z.object({ id: z.uuid() }),
  body: cell.extend({
    kind: z.enum(["python", "bash"]),
    code: z
      .string()
      .min(1)
      .max(128 * 1024),
    session,
  }),
  handle: ({ caller, params, body: { id: cellId, ...rest } }) =>
    eventStream(({ send }) =>
      tellRun(send, ({ onStart, onOutput }) =>
        runCell({ userId: caller.id, consoleId: params.id, cellId, ...rest, onStart, onOutput }),
      ),
    ),
});
