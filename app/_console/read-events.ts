// Server-sent events from a fetch, one after the other. EventSource can't send a body.
export interface ServerEvent {
  name: string;
  data: unknown;
}

export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  let waiting = "";
  const reader = body.getReader();
  const decoder = new TextDecoder();
  for (;;) {
    const { done, value: bytes } = await reader.read();
    if (done) return;
    const value = decoder.decode(bytes, { stream: true });
    waiting += value;
    // A large event comes in many pieces: looking for its end only in the newest keeps this linear.
    if (!value.includes("\n")) continue;
    const blocks = waiting.split("\n\n");
    waiting = blocks.pop() ?? "";
    for (const block of blocks) {
      const event = parseBlock(block);
      if (event) yield event;
    }
  }
}

function parseBlock(block: string): ServerEvent | undefined {
  const [, name] = /^event: (.*)$/m.exec(block) ?? [];
  const [, data] = /^data: (.*)$/m.exec(block) ?? [];
  return name && data ? { name, data: JSON.parse(data) } : undefined;
}
