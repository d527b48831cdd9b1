import { rateLimitHeaders } from "#app/_http/headers.ts";
import { route } from "#app/_http/route.ts";
import { AppError } from "#lib/app-error.ts";
import { requireToken } from "#lib/auth/guards.ts";
import { ownHosts } from "#lib/auth/own-origin.ts";
import { runTool } from "#lib/executions/run-tool.ts";
import { agentPrompt } from "#lib/prompt/agent-prompt.ts";
import { serveMcp } from "#mcp/http.ts";
import type { McpCaller } from "#mcp/server.ts";
import { isToolset, TOOLSETS, type Toolset } from "#mcp/tools/catalogue.ts";
import { documentOf } from "#mcp/tools/catalogue-document.ts";
import { resourcesOf } from "./resources-of.ts";
import { spoken } from "./spoken.ts";

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
      runTool: spoken((call) => runTool({ ...call, userId, door: "mcp", toolset, waitMs: WAIT_MS })),
      systemPrompt: spoken(() => agentPrompt(userId, tools)),
      resources: resourcesOf(userId),
    } satisfies McpCaller;
    return serveMcp(request, caller, ownHosts());
  },
});

function toolsetOf(request: Request): Toolset | undefined {
  const name = new URL(request.url).searchParams.get("toolset");
  if (name === null) return undefined;
  if (isToolset(name)) return name;
  throw new AppError(
    "bad_request",
    `There is no toolset of that name. There is: ${Object.keys(TOOLSETS).join(", ")}.`,
  );
}

export { door as DELETE, door as GET, door as POST };
