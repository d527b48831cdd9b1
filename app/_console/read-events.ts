// Server-sent events from a fetch, one after the other. EventSource can't send a body.
import { createParser } from "eventsource-parser";

export interface ServerEvent {
  name: string;
  data: unknown;
}

export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  const arrived: ServerEvent[] = [];
  const parser = createParser({
    onEvent: ({ event, data }) => event && arrived.push({ name: event, data: JSON.parse(data) }),
  });
  const reader = body.getReader();
  const decoder = new TextDecoder();
  for (;;) {
    const { done, value: bytes } = await reader.read();
    if (done) return;
    parser.feed(decoder.decode(bytes, { stream: true }));
    yield* arrived.splice(0);
  }
}
