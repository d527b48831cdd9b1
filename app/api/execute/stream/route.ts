import { refusableStream } from "#app/_http/event-stream.ts";
import { rateLimitHeaders } from "#app/_http/headers.ts";
import { wrongMethod } from "#app/_http/no-such-door.ts";
import { route } from "#app/_http/route.ts";
import { requireToken } from "#lib/auth/guards.ts";
import { runTool } from "#lib/executions/run-tool.ts";
import { callBody, toolCall } from "../call.ts";

/** The same as `/execute`, told as it happens. A client that goes away stops its run. */
export const POST = route({
  guard: requireToken,
  headers: rateLimitHeaders,
  body: callBody,
  handle: ({ caller, body, request }) =>
    refusableStream(request, async ({ send, begin, signal }) => {
      const decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() };
      const { structured } = await runTool({
        ...toolCall(caller, body, request),
        signal,
        onBegun: begin,
        // A character may be split between two pieces of output.
        onOutput: ({ stream, data }) =>
          send(stream, { text: decoders[stream].decode(data, { stream: true }) }),
      });
      await send("result", structured);
    }),
});

const wrong = wrongMethod("POST");

export { wrong as DELETE, wrong as GET, wrong as PATCH, wrong as PUT };
