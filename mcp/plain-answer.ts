// Clients of the 2025 revisions are answered in a stream, in which progress could come before the result. Most ask for none, and
// get their answer as it is: a stream of one event costs both sides more.
import {
  type AuthInfo,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";

/** Whether nothing but the result can come of it. */
export function wantsResultOnly(message: unknown): boolean {
  if (typeof message !== "object" || message === null || !("id" in message && "method" in message))
    return false;
  const { params } = message as { params?: { _meta?: { progressToken?: unknown } } | null };
  return params?._meta?.progressToken === undefined;
}

export async function answerPlainly(
  server: Server,
  request: Request,
  given: { parsedBody: unknown; authInfo: AuthInfo },
): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  // A request that was taken back has no result; its client waits for none.
  const closed = new Promise<Response>((resolve) => {
    server.onclose = () => resolve(new Response(null, { status: 202 }));
  });
  await server.connect(transport);
  try {
    return await Promise.race([transport.handleRequest(request, given), closed]);
  } finally {
    void server.close();
  }
}
