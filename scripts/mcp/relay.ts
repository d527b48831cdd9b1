// One JSON-RPC message in, its answers out, over a stateless HTTP endpoint. Requests run side by side.
interface Options {
  url: string;
  token: string;
  write: (message: string) => void;
}

interface Message {
  id?: string | number | null;
  method?: string;
  params?: { requestId?: string | number; name?: unknown; uri?: unknown; _meta?: Record<string, unknown> };
  result?: { protocolVersion?: string };
  error?: { code?: number; message?: string };
}

const SESSION = "mcp-session-id";
const VERSION_KEY = "io.modelcontextprotocol/protocolVersion";

export function relay({ url, token, write }: Options): (line: string) => void {
  const inFlight = new Map<string | number, AbortController>();
  /** What a client of the 2025 revisions agreed on; later ones say it with every message. */
  let negotiated: string | undefined;
  let session: string | undefined;

  return (line) => {
    const message = parse(line);
    if (message?.method === "notifications/cancelled") inFlight.get(message.params?.requestId ?? "")?.abort();
    void forward(line, message);
  };

  async function forward(line: string, message: Message | undefined): Promise<void> {
    const id = message?.id ?? undefined;
    const controller = new AbortController();
    if (id !== undefined) inFlight.set(id, controller);
    try {
      const { signal } = controller;
      const response = await fetch(url, { method: "POST", headers: headersFor(message), body: line, signal });
      if (message?.method === "initialize") session = response.headers.get(SESSION) ?? undefined;
      for await (const answer of messagesOf(response)) {
        if (message?.method === "initialize") negotiated = parse(answer)?.result?.protocolVersion;
        deliver(answer, message, response.status);
      }
    } catch (error) {
      if (controller.signal.aborted) return;
      refuse(message, `Cove does not answer: ${error instanceof Error ? error.message : error}`);
    } finally {
      if (id !== undefined) inFlight.delete(id);
    }
  }

  /** A refusal at the door doesn't know which request it refuses; we do. */
  function deliver(answer: string, message: Message | undefined, status: number): void {
    const parsed = parse(answer);
    if (!parsed) refuse(message, `Cove answered with status ${status} and no JSON.`);
    else if (parsed.error && (parsed.id ?? null) === null)
      refuse(message, parsed.error.message, parsed.error.code);
    else write(answer);
  }

  /** Notifications get no answer, not even this one. */
  function refuse(message: Message | undefined, reason = "Cove refused.", code = -32_603): void {
    if (message && (message.id ?? null) === null) return;
    write(JSON.stringify({ jsonrpc: "2.0", id: message?.id ?? null, error: { code, message: reason } }));
  }

  function headersFor(message: Message | undefined): Record<string, string> {
    const stated = message?.params?._meta?.[VERSION_KEY];
    const version = typeof stated === "string" ? stated : negotiated;
    return {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...(version && { "mcp-protocol-version": version }),
      ...(session && { [SESSION]: session }),
      ...(typeof stated === "string" && inHeaders(message)),
    };
  }
}

/** Since 2026 a request also says in its headers what it is about, so that whatever stands between can tell. */
function inHeaders({ method, params }: Message = {}): Record<string, string> {
  const name = params?.name ?? params?.uri;
  return {
    ...(method && { "mcp-method": method }),
    ...(typeof name === "string" && { "mcp-name": encode(name) }),
  };
}

function encode(text: string): string {
  const plain = /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !text.startsWith("=?base64?");
  return plain ? text : `=?base64?${Buffer.from(text).toString("base64")}?=`;
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
