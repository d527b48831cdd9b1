import { eventStream } from "#app/_http/event-stream.ts";
import { route } from "#app/_http/route.ts";
import { runAgent } from "#lib/agent/run-agent.ts";
import { toAppError } from "#lib/app-error.ts";
import { requireToken } from "#lib/auth/guards.ts";
import { limitRate } from "#lib/executions/rate-limit.ts";
import { chooseModel } from "#lib/models/choose-model.ts";
import { openAiError } from "../../error-body.ts";
import { Completion } from "./completion-chunks.ts";
import { completionRequest, conversationOf, settingsOf } from "./completion-request.ts";

/** The agent behind OpenAI's API: Cove's tools run on the server, and a client that goes away stops its turn. */
export const POST = route({
  guard: requireToken,
  errorBody: openAiError,
  body: completionRequest,
  handle: async ({ caller, body, request }) => {
    limitRate(caller.id);
    const chosen = await chooseModel(caller.id, body.model === "cove" ? undefined : body.model);
    const { instructions, messages } = conversationOf(body);
    const completion = new Completion(chosen.id);
    const left = new AbortController();
    const leave = () => left.abort();
    request.signal.addEventListener("abort", leave, { once: true });
    const turn = {
      userId: caller.id,
      door: "openai" as const,
      chosen,
      messages: () => messages,
      ...(instructions && { instructions }),
      settings: settingsOf(body),
      signal: left.signal,
    };
    if (!body.stream) {
      const outcome = await runAgent(turn, (part) => void completion.add(part));
      if (outcome.status === "failed") throw outcome.problem;
      return completion.whole(outcome);
    }

    // The status is decided by the first thing the model says: until then a refusal can still be a proper answer.
    const begun = Promise.withResolvers<void>();
    const opened = Promise.withResolvers<(chunk: unknown) => Promise<void>>();
    const outcome = runAgent(turn, async (part) => {
      const chunk = completion.add(part);
      if (!chunk) return;
      begun.resolve();
      await (await opened.promise)(chunk);
    });
    const early = await Promise.race([outcome, begun.promise]);
    if (early?.status === "failed") throw early.problem;

    return eventStream(async ({ sendText, signal }) => {
      signal.addEventListener("abort", leave, { once: true });
      const send = (chunk: unknown) => sendText(JSON.stringify(chunk));
      const greeted = send(completion.first());
      opened.resolve((chunk) => greeted.then(() => send(chunk)));
      const ended = await outcome;
      await greeted;
      if (ended.status === "failed") return send(openAiError(toAppError(ended.problem)));
      await send(completion.last(ended));
      if (body.stream_options?.include_usage) await send(completion.usage(ended));
      await sendText("[DONE]");
    });
  },
});
