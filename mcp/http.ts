// MCP over HTTP: every revision from one stateless handler, `(Request) => Promise<Response>`.
import { randomUUID } from "node:crypto";
import {
  type AuthInfo,
  createMcpHandler,
  hostHeaderValidationResponse,
  isLegacyRequest,
} from "@modelcontextprotocol/server";
import { answerPlainly, wantsResultOnly } from "./plain-answer.ts";
import { readMessage } from "./read-message.ts";
import { remembered } from "./remembered-list.ts";
import { createServer, type McpCaller } from "./server.ts";

const SESSION = "mcp-session-id";

const handler = createMcpHandler(
  ({ authInfo, era, requestInfo }) =>
    createServer(callerOf(authInfo), { era, session: sessionOf(requestInfo) }),
  { legacy: "stateless" },
);

/** `hosts` are Cove's own names: one that merely resolves to us is turned away. */
export async function serveMcp(request: Request, caller: McpCaller, hosts: string[]): Promise<Response> {
  const refused = hostHeaderValidationResponse(request, hosts);
  if (refused) return refused;
  // The SDK hands this through to the factory; it is how the caller gets there without a global.
  const authInfo = { token: "", clientId: "cove", scopes: [], extra: { caller } } satisfies AuthInfo;
  if (request.method !== "POST") return handler.fetch(request, { authInfo });
  const message = await readMessage(request);
  if (message instanceof Response) return message;
  return remembered(request, message, caller.tools, async () => {
    const given = { authInfo, parsedBody: message };
    const plain = wantsResultOnly(message) && (await isLegacyRequest(request, message));
    const response = plain
      ? await answerPlainly(
          createServer(caller, { era: "legacy", session: sessionOf(request) }),
          request,
          given,
        )
      : await handler.fetch(request, given);
    if (isInitialize(message) && response.ok) response.headers.set(SESSION, randomUUID());
    return response;
  });
}

function sessionOf(request: Request | undefined): string {
  return request?.headers.get(SESSION) ?? "";
}

/**
 * Clients of the 2025 revisions number their requests anew in every session, and cancel by that number. So they get a
 * session's name to say it in. Nothing is kept under it.
 */
function isInitialize(message: unknown): boolean {
  return (
    typeof message === "object" && message !== null && "method" in message && message.method === "initialize"
  );
}

function callerOf(authInfo: AuthInfo | undefined): McpCaller {
  const caller = authInfo?.extra?.caller;
  if (!caller) throw new Error("An MCP request arrived without its caller.");
  return caller as McpCaller;
}
