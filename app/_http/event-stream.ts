// Server-sent events with backpressure: a slow reader slows the writer down instead of growing memory.
import { loggedError } from "#lib/logged-error.ts";

const HEARTBEAT_MS = 15_000;

interface Stream {
  /** `message` is what a browser calls an event without a name. The id is where it would go on from. */
  send(event: string, data: unknown, id?: number): Promise<void>;
  /** Data that isn't JSON, or is already. */
  sendText(data: string): Promise<void>;
  /** Aborted when the reader goes away. */
  signal: AbortSignal;
}

/**
 * The same for work that may be refused: the status is decided by the first thing there is to say, or by `begin`. Until then
 * whatever is thrown is a proper answer, and a client that goes away is noticed as well.
 */
export async function refusableStream(
  request: Request,
  work: (stream: Stream & { begin(): void }) => Promise<void>,
): Promise<Response> {
  const left = new AbortController();
  const leave = () => left.abort();
  request.signal.addEventListener("abort", leave, { once: true });
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const { promise: opened, resolve: open } = Promise.withResolvers<Stream>();
  const once = <Values extends unknown[]>(send: (stream: Stream, ...values: Values) => Promise<void>) => {
    return async (...values: Values) => {
      begin();
      await send(await opened, ...values);
    };
  };
  const worked = work({
    begin,
    send: once((stream, ...values: Parameters<Stream["send"]>) => stream.send(...values)),
    sendText: once((stream, data: string) => stream.sendText(data)),
    signal: left.signal,
  });
  await Promise.race([worked, begun]);
  return eventStream(async (stream) => {
    stream.signal.addEventListener("abort", leave, { once: true });
    open(stream);
    await worked;
  });
}

export function eventStream(work: (stream: Stream) => Promise<void>): Response {
  const gone = new AbortController();
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  writer.closed.catch(() => gone.abort());
  const encoder = new TextEncoder();
  const send = async (event: string, data: unknown, id?: number) => {
    const name = event === "message" ? "" : `event: ${event}\n`;
    const place = id === undefined ? "" : `id: ${id}\n`;
    await write(`${name}${place}data: ${JSON.stringify(data)}\n\n`);
  };
  const write = async (block: string) => {
    await writer.ready;
    await writer.write(encoder.encode(block));
  };
  // Proxies close what is silent; and a reader that is gone is noticed by writing to it.
  const heartbeat = setInterval(() => {
    if ((writer.desiredSize ?? 0) > 0) writer.write(encoder.encode(": \n\n")).catch(() => undefined);
  }, HEARTBEAT_MS);
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
      await work({ send, sendText: (data) => write(`data: ${data}\n\n`), signal: gone.signal });
    } catch (thrown) {
      if (gone.signal.aborted) return;
      const { code, message } = loggedError(thrown);
      await send("error", { error: { code, message } });
    } finally {
      clearInterval(heartbeat);
      await writer.close().catch(() => undefined);
    }
  }
}
