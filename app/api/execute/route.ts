import { rateLimitHeaders } from "#app/_http/headers.ts";
import { wrongMethod } from "#app/_http/no-such-door.ts";
import { route } from "#app/_http/route.ts";
import { requireToken } from "#lib/auth/guards.ts";
import { runTool } from "#lib/executions/run-tool.ts";
import { callBody, toolCall } from "./call.ts";

/** Runs a tool and waits for its end, however long that takes. */
export const POST = route({
  guard: requireToken,
  headers: rateLimitHeaders,
  body: callBody,
  handle: async ({ caller, body, request }) => (await runTool(toolCall(caller, body, request))).structured,
});

const wrong = wrongMethod("POST");

export { wrong as DELETE, wrong as GET, wrong as PATCH, wrong as PUT };
