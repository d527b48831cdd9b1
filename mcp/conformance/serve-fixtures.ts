// The conformance suite's own tools, resources and prompts behind our own edge. For tests: no other server has them.
import { randomUUID } from "node:crypto";
import {
  createMcpHandler,
  hostHeaderValidationResponse,
  isLegacyRequest,
  McpServer,
  type ServerNotifier,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { readMessage } from "../read-message.ts";
import { registerInputRequired, stateCodec } from "./fixture-input-required.ts";
import { registerQuestions } from "./fixture-questions.ts";
import { registerPrompts, registerResources } from "./fixture-readables.ts";
import { registerTools } from "./fixture-tools.ts";

const modern = createMcpHandler(() => fixtureServer("modern"), { legacy: "reject" });
/** Questions of the 2025 revisions are answered in a request of their own, so these fixtures need sessions; Cove doesn't. */
const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();

export async function serveFixtures(request: Request, hosts: string[]): Promise<Response> {
  const refused = hostHeaderValidationResponse(request, hosts);
  if (refused) return refused;
  const parsedBody = request.method === "POST" ? await readMessage(request) : undefined;
  if (parsedBody instanceof Response) return parsedBody;
  if (!(await isLegacyRequest(request, parsedBody))) return modern.fetch(request, { parsedBody });
  const transport = sessions.get(request.headers.get("mcp-session-id") ?? "") ?? (await openSession());
  return transport.handleRequest(request, { parsedBody });
}

async function openSession(): Promise<WebStandardStreamableHTTPServerTransport> {
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (id) => void sessions.set(id, transport),
    onsessionclosed: (id) => void sessions.delete(id),
  });
  await fixtureServer("legacy").connect(transport);
  return transport;
}

function fixtureServer(era: "legacy" | "modern"): McpServer {
  const changing = { listChanged: true };
  const server = new McpServer(
    { name: "cove-conformance", version: "1" },
    {
      capabilities: {
        tools: changing,
        prompts: changing,
        resources: { ...changing, subscribe: true },
        logging: {},
        completions: {},
      },
      requestState: { verify: stateCodec.verify },
    },
  );
  registerTools(server, era === "modern" ? notifier() : undefined);
  registerResources(server);
  registerPrompts(server);
  if (era === "modern") {
    registerInputRequired(server);
  } else {
    registerQuestions(server);
    server.server.setRequestHandler("resources/subscribe", () => ({}));
    server.server.setRequestHandler("resources/unsubscribe", () => ({}));
  }
  return server;
}

function notifier(): ServerNotifier {
  return modern.notify;
}
