// MCP over HTTP: every revision from one stateless handler, `(Request) => Promise<Response>`.
import {
  type AuthInfo,
  createMcpHandler,
  hostHeaderValidationResponse,
  originValidationResponse,
} from "@modelcontextprotocol/server";
import { createServer, type McpCaller } from "./server.ts";

const MOST_BYTES = 10 * 2 ** 20;

const handler = createMcpHandler(({ authInfo }) => createServer(callerOf(authInfo)), {
  legacy: "stateless",
  maxRequestBodySize: MOST_BYTES,
});

/** `host` is Cove's public host name: pages of other sites, and names that merely resolve to us, are turned away. */
export async function serveMcp(request: Request, caller: McpCaller, hosts: string[]): Promise<Response> {
  const refused = hostHeaderValidationResponse(request, hosts) ?? originValidationResponse(request, hosts);
  if (refused) return refused;
  // The SDK hands this through to the factory; it is how the caller gets there without a global.
  const authInfo = { token: "", clientId: "cove", scopes: [], extra: { caller } } satisfies AuthInfo;
  return handler.fetch(request, { authInfo });
}

function callerOf(authInfo: AuthInfo | undefined): McpCaller {
  const caller = authInfo?.extra?.caller;
  if (!caller) throw new Error("An MCP request arrived without its caller.");
  return caller as McpCaller;
}
