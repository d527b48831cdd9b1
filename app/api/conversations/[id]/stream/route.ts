import { z } from "zod";
import { eventStream } from "#app/_http/event-stream.ts";
import { requireWebUser } from "#app/_http/guards.ts";
import { idParams } from "#app/_http/id-params.ts";
import { route } from "#app/_http/route.ts";
import { AppError } from "#lib/app-error.ts";
import { followTurn } from "#lib/chats/follow-turn.ts";

/** A turn from any place in it, as often and by as many pages as one likes. Going away stops nothing. */
export const GET = route({
  guard: requireWebUser,
  params: idParams,
  handle: async ({ caller, params, request }) => {
    const { searchParams } = new URL(request.url);
    const message = z.uuid().safeParse(searchParams.get("message"));
    if (!message.success) throw new AppError("not_found", "There is no such message.");
    // A browser that reconnects by itself says how far it came.
    const places = [searchParams.get("after"), request.headers.get("last-event-id")];
    const after = Math.max(0, ...places.map((place) => Number.parseInt(place ?? "0", 10) || 0));
    const left = new AbortController();
    const { chunks, end } = await followTurn(caller.id, params.id, message.data, {
      after,
      signal: left.signal,
    });
    return eventStream(async ({ send, signal }) => {
      signal.addEventListener("abort", () => left.abort(), { once: true });
      for await (const { seq, chunk } of chunks) await send("message", chunk, seq);
      if (!signal.aborted) await send("end", await end());
    });
  },
});
