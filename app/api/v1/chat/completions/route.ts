import { refusableStream } from "#app/_http/event-stream.ts";
import { rateLimitHeaders } from "#app/_http/headers.ts";
import { wrongMethod } from "#app/_http/no-such-door.ts";
import { route } from "#app/_http/route.ts";
import { runAgent } from "#lib/agent/run-agent.ts";
import { toAppError } from "#lib/app-error.ts";
import { requireToken } from "#lib/auth/guards.ts";
import { chooseModel } from "#lib/models/choose-model.ts";
import { limitRate } from "#lib/rate-limit.ts";
import { openAiError } from "../../error-body.ts";
import { Completion } from "./completion-chunks.ts";
import { completionRequest, conversationOf, settingsOf } from "./completion-request.ts";

/** The agent behind OpenAI's API: Cove's tools run on the server, and a client that goes away stops its turn. */
export const POST = route({
  guard: requireToken,
  headers: rateLimitHeaders,
  errorBody: openAiError,
  body: completionRequest,
  handle: async ({ caller, body, request }) => {
    limitRate(caller.id);
    const chosen = await chooseModel(caller.id, body.model === "cove" ? undefined : body.model);
    const { instructions, messages } = conversationOf(body);
    const completion = new Completion(chosen.id);
    const turn = {
      userId: caller.id,
      door: "openai" as const,
      chosen,
      messages: () => messages,
      ...(instructions && { instructions }),
      settings: settingsOf(body),
    };
    if (!body.stream) {
      const { signal } = request;
      const outcome = await runAgent({ ...turn, signal }, (part) => void completion.add(part));
      if (outcome.status === "failed") throw outcome.problem;
      return completion.whole(outcome);
    }

    return refusableStream(request, async ({ sendText, signal }) => {
      const send = (chunk: unknown) => sendText(JSON.stringify(chunk));
      let greeted: Promise<void> | undefined;
      const greet = () => (greeted ??= send(completion.first()));
      const outcome = await runAgent({ ...turn, signal }, async (part) => {
        const chunk = completion.add(part);
        if (!chunk) return;
        await greet();
        await send(chunk);
      });
      if (outcome.status === "failed") {
        if (!greeted) throw outcome.problem;
        return send(openAiError(toAppError(outcome.problem)));
      }
      await greet();
      await send(completion.last(outcome));
      if (body.stream_options?.include_usage) await send(completion.usage(outcome));
      await sendText("[DONE]");
    });
  },
});

const wrong = wrongMethod("POST", openAiError);

export { wrong as DELETE, wrong as GET, wrong as PATCH, wrong as PUT };
