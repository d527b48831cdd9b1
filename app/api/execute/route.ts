import { rateLimitHeaders } from "#app/_http/rate-limit-headers.ts";
import { route } from "#app/_http/route.ts";
import { requireToken } from "#lib/auth/guards.ts";
import { runTool } from "#lib/executions/run-tool.ts";
import { idempotencyKey, toolCall } from "./call.ts";

/** Runs a tool and waits for its end, however long that takes. */
export const POST = route({
  guard: requireToken,
  headers: rateLimitHeaders,
  body: toolCall,
  handle: async ({ caller, body, request }) => {
    const key = idempotencyKey(request);
    const { structured } = await runTool({
      userId: caller.id,
      door: "rest",
      ...body,
      ...(key && { idempotencyKey: key }),
    });
    return structured;
  },
});
