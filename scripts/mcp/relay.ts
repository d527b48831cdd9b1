// One JSON-RPC message in, its answers out, over a stateless HTTP endpoint. Requests run side by side.
interface Options {
  url: string;
  token: string;
  write: (message: string) => void;
}

interface Message {
  id?: string | number | null;
  method?: string;
  params?: { requestId?: string | number; _meta?: Record<string, unknown> };
  result?: { protocolVersion?: string };
}

const VERSION_KEY = "io.modelcontextprotocol/protocolVersion";

export function relay({ url, token, write }: Options): (line: string) => void {
  const inFlight = new Map<string | number, AbortController>();
  /** What a client of the 2025 revisions agreed on; later ones say it with every message. */
  let negotiated: string | undefined;

  return (line) => {
    const message = parse(line);
    if (message?.method === "notifications/cancelled") inFlight.get(message.params?.requestId ?? "")?.abort();
    void forward(line, message);
  };

  async function forward(line: string, message: Message | undefined): Promise<void> {
    const { id } = message ?? {};
    const controller = new AbortController();
    if (id !== undefined && id !== null) inFlight.set(id, controller);
    try {
      const response = await fetch(url, {
        method: "POST",
        headers: headersFor(message),
        body: line,
        signal: controller.signal,
      });
      for await (const answer of messagesOf(response)) {
        if (message?.method === "initialize") negotiated = parse(answer)?.result?.protocolVersion;
        write(answer);
      }
    } catch (error) {
      if (controller.signal.aborted || id === undefined) return;
      const reason = error instanceof Error ? error.message : String(error);
      write(
        JSON.stringify({
          jsonrpc: "2.0",
          id,
          error: { code: -32_603, message: `Cove does not answer: ${reason}` },
        }),
      );
    } finally {
      if (id !== undefined && id !== null) inFlight.delete(id);
    }
  }

  function headersFor(message: Message | undefined): Record<string, string> {
    const stated = message?.params?._meta?.[VERSION_KEY];
    const version = typeof stated === "string" ? stated : negotiated;
    return {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...(version && { "mcp-protocol-version": version }),
    };
  }
}

/** A JSON answer as it is, a stream event by event. Notifications are acknowledged with nothing. */
async function* messagesOf(response: Response): AsyncGenerator<string> {
  if (response.status === 202 || !response.body) return;
  if (!response.headers.get("content-type")?.includes("text/event-stream")) {
    const text = (await response.text()).replaceAll("\n", "");
    if (text) yield text;
    return;
  }
  let rest = "";
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    const events = (rest + text).replaceAll("\r\n", "\n").split("\n\n");
    rest = events.pop() ?? "";
    for (const event of events) {
      const data = event.split("\n").filter((field) => field.startsWith("data:"));
      if (data.length > 0) yield data.map((field) => field.slice(5).trimStart()).join("");
    }
  }
}

function parse(line: string): Message | undefined {
  try {
    return JSON.parse(line);
  } catch {
    // The server answers what isn't JSON with JSON-RPC's own error.
    return undefined;
  }
}
