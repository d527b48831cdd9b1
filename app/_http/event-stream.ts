// Server-sent events with backpressure: a slow reader slows the writer down instead of growing memory.
import { toAppError } from "#lib/app-error.ts";
import { log } from "#lib/log.ts";

interface Stream {
  send(event: string, data: unknown): Promise<void>;
  /** Aborted when the reader goes away. */
  signal: AbortSignal;
}

export function eventStream(work: (stream: Stream) => Promise<void>): Response {
  const gone = new AbortController();
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  writer.closed.catch(() => gone.abort());
  const encoder = new TextEncoder();
  const send = async (event: string, data: unknown) => {
    await writer.ready;
    await writer.write(encoder.encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`));
  };
  void tell();
  return new Response(readable, {
    headers: {
      "content-type": "text/event-stream; charset=utf-8",
      // Compressing would hold events back until a block is full.
      "cache-control": "no-store, no-transform",
    },
  });

  async function tell(): Promise<void> {
    try {
      await work({ send, signal: gone.signal });
    } catch (thrown) {
      if (gone.signal.aborted) return;
      const error = toAppError(thrown);
      if (error.status >= 500) log().error({ err: thrown }, error.message);
      await send("error", { error: { code: error.code, message: error.message } });
    } finally {
      await writer.close().catch(() => undefined);
    }
  }
}
