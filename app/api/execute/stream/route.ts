import { eventStream } from "#app/_http/event-stream.ts";
import { rateLimitHeaders } from "#app/_http/rate-limit-headers.ts";
import { route } from "#app/_http/route.ts";
import { requireToken } from "#lib/auth/guards.ts";
import { runTool } from "#lib/executions/run-tool.ts";
import { idempotencyKey, toolCall } from "../call.ts";

/** The same as `/execute`, told as it happens. A client that goes away stops its run. */
export const POST = route({
  guard: requireToken,
  headers: rateLimitHeaders,
  body: toolCall,
  handle: ({ caller, body, request }) => {
    const key = idempotencyKey(request);
    return eventStream(async ({ send, signal }) => {
      const decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() };
      const { structured } = await runTool({
        userId: caller.id,
        door: "rest",
        ...body,
        ...(key && { idempotencyKey: key }),
        signal,
        // A character may be split between two pieces of output.
        onOutput: ({ stream, data }) =>
          send(stream, { text: decoders[stream].decode(data, { stream: true }) }),
      });
      await send("result", structured);
    });
  },
});
