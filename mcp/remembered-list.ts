// The list of tools never changes while the server runs, and clients ask for it all the time. Once it has been made for a
// request, the next one like it gets the same text with its own number.
import type { ToolDocument } from "./tools/catalogue-document.ts";

const HEADERS = ["accept", "mcp-protocol-version", "mcp-method", "mcp-name"];
const MOST_KINDS = 200;
const LONGEST_KIND = 2_000;

/** By what was asked, for each set of tools: the answer's text after its number. */
const lists = new WeakMap<readonly ToolDocument[], Map<string, string>>();

/** `answer` is asked unless the message is a request for a list that was given before. */
export async function remembered(
  request: Request,
  message: unknown,
  tools: readonly ToolDocument[],
  answer: () => Promise<Response>,
): Promise<Response> {
  if (!isListRequest(message)) return answer();
  const { id, ...rest } = message;
  const kind = kindOf(rest, request);
  if (kind === undefined) return answer();
  const known = lists.get(tools)?.get(kind);
  if (known !== undefined) return asJson(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${known}}`);
  const response = await answer();
  if (response.ok) void remember(tools, kind, response.clone());
  return response;
}

/** Nothing for a request that is not worth remembering: nobody needs one that long, or so deep that it can't be written. */
function kindOf(rest: object, request: Request): string | undefined {
  try {
    const kind = JSON.stringify([rest, HEADERS.map((name) => request.headers.get(name))]);
    return kind.length <= LONGEST_KIND ? kind : undefined;
  } catch {
    return undefined;
  }
}

interface ListRequest {
  id: string | number;
  method: "tools/list";
}

function isListRequest(message: unknown): message is ListRequest {
  if (typeof message !== "object" || message === null) return false;
  const { id, method } = message as Partial<ListRequest>;
  return method === "tools/list" && (typeof id === "string" || typeof id === "number");
}

async function remember(tools: readonly ToolDocument[], kind: string, response: Response): Promise<void> {
  const text = await response.text();
  // One message, in a stream or as it is.
  const data = /^data: (.*)$/m.exec(text)?.[1] ?? text;
  const { result } = JSON.parse(data);
  if (!result?.tools) return;
  const known = lists.get(tools) ?? new Map<string, string>();
  if (known.size >= MOST_KINDS) known.clear();
  lists.set(tools, known.set(kind, JSON.stringify(result)));
}

function asJson(text: string): Response {
  return new Response(text, { headers: { "content-type": "application/json" } });
}
