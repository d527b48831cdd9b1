import { z } from "zod";
import { route } from "#app/_http/route.ts";
import { requireUser } from "#lib/auth/guards.ts";
import { checkExecution } from "#lib/executions/follow.ts";

/** Long enough for what was printed so far to arrive. */
const WAIT_MS = 500;

/** A run as it is now, with its output so far. */
export const GET = route({
  guard: requireUser,
  params: z.object({ id: z.uuid() }),
  handle: ({ caller, params }) => checkExecution(caller.id, params.id, WAIT_MS),
});
