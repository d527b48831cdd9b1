import { rateLimitHeaders } from "#app/_http/headers.ts";
import { route } from "#app/_http/route.ts";
import { agentForTools } from "#lib/agent/agent-for-tools.ts";
import { AppError } from "#lib/app-error.ts";
import { requireToken } from "#lib/auth/guards.ts";
import { ownHosts } from "#lib/auth/own-origin.ts";
import { runTool } from "#lib/executions/run-tool.ts";
import { loggedError } from "#lib/logged-error.ts";
import { agentPrompt } from "#lib/prompt/agent-prompt.ts";
import { serveMcp } from "#mcp/http.ts";
import type { ResourceKind } from "#mcp/serve-resources.ts";
import type { McpCaller } from "#mcp/server.ts";
import { isToolset, TOOLSETS, type Toolset } from "#mcp/tools/catalogue.ts";
import { documentOf } from "#mcp/tools/catalogue-document.ts";
import { artifactResources } from "./artifact-resources.ts";
import { skillResources } from "./skill-resources.ts";

// MCP clients give up at about 60 s, so a run that takes longer goes on and is asked for again.
const WAIT_MS = 45_000;
// JSON-RPC leaves -32000 to -32099 to servers.
const REFUSED = -32_001;

const door = route({
  guard: requireToken,
  headers: rateLimitHeaders,
  errorBody: ({ message }) => ({ jsonrpc: "2.0", id: null, error: { code: REFUSED, message } }),
  handle: ({ caller: { id: userId }, request }) => {
    const toolset = toolsetOf(request);
    const tools = documentOf(toolset);
    const caller = {
      userId,
      tools,
      runTool: withLoggedErrors((call) =>
        runTool({ ...call, userId, door: "mcp", toolset, agent: agentForTools, waitMs: WAIT_MS }),
      ),
      systemPrompt: withLoggedErrors(() => agentPrompt(userId, tools)),
      resources: resourcesOf(userId),
    } satisfies McpCaller;
    return serveMcp(request, caller, ownHosts());
  },
});

export { door as DELETE, door as GET, door as POST };

function toolsetOf(request: Request): Toolset | undefined {
  const name = new URL(request.url).searchParams.get("toolset");
  if (name === null) return undefined;
  if (isToolset(name)) return name;
  throw new AppError(
    "bad_request",
    `There is no toolset of that name. There is: ${Object.keys(TOOLSETS).join(", ")}.`,
  );
}

/** What the user can read by address over MCP. */
function resourcesOf(userId: string): ResourceKind[] {
  return [skillResources(userId), artifactResources(userId)].map((kind) => ({
    ...kind,
    list: withLoggedErrors(kind.list),
    read: withLoggedErrors(kind.read),
  }));
}

/** Whatever fails behind the protocol reaches the client as a sentence, and us as a line in the log. */
function withLoggedErrors<Values extends unknown[], Answer>(work: (...values: Values) => Promise<Answer>) {
  return (...values: Values): Promise<Answer> =>
    work(...values).catch((error) => {
      throw loggedError(error);
    });
}
