import { route } from "#app/_http/route.ts";
import { env } from "#env.ts";
import { requireToken } from "#lib/auth/guards.ts";
import { runTool } from "#lib/executions/run-tool.ts";
import { agentPrompt } from "#lib/prompt/agent-prompt.ts";
import { serveMcp } from "#mcp/http.ts";
import { catalogueDocument } from "#mcp/tools/catalogue-document.ts";
import { resourcesOf } from "./resources-of.ts";

// MCP clients give up at about 60 s, so a run that takes longer goes on and is asked for again.
const WAIT_MS = 45_000;
// JSON-RPC leaves -32000 to -32099 to servers.
const REFUSED = -32_001;

const door = route({
  guard: requireToken,
  errorBody: ({ message }) => ({ jsonrpc: "2.0", id: null, error: { code: REFUSED, message } }),
  handle: ({ caller: { id: userId }, request }) =>
    serveMcp(
      request,
      {
        tools: catalogueDocument,
        runTool: (call) => runTool({ ...call, userId, door: "mcp", waitMs: WAIT_MS }),
        systemPrompt: () => agentPrompt(userId),
        resources: resourcesOf(userId),
      },
      ["localhost", "127.0.0.1", "[::1]", new URL(env().COVE_URL).hostname],
    ),
});

export { door as DELETE, door as GET, door as POST };
