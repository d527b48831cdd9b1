// Cove as an MCP server for one caller. A fresh one answers each request; everything costly (schemas) is made once,
// elsewhere.
import { Server } from "@modelcontextprotocol/server";
import packageJson from "#package.json" with { type: "json" };
import { type RunTool, serveTools } from "./call-tool.ts";
import { type Origin, serveCancellation } from "./cancellation.ts";
import { serveSystemPrompt } from "./prompt/serve-system-prompt.ts";
import { type ResourceKind, serveResources } from "./serve-resources.ts";
import type { ToolDocument } from "./tools/catalogue-document.ts";

/** Whoever is on the other side. Handed in, because who that is was decided at the door. */
export interface McpCaller {
  userId: string;
  tools: readonly ToolDocument[];
  runTool: RunTool;
  systemPrompt: () => Promise<string>;
  resources: readonly ResourceKind[];
}

const INFO = { name: "cove", title: "Cove", version: packageJson.version };

export function createServer(caller: McpCaller, { era, session }: Pick<Origin, "era" | "session">): Server {
  const origin = { userId: caller.userId, era, session };
  const server = new Server(INFO, { capabilities: { tools: {}, prompts: {}, resources: {} } });
  serveTools(server, caller, origin);
  serveCancellation(server, origin);
  serveSystemPrompt(server, caller.systemPrompt);
  serveResources(server, caller.resources);
  return server;
}
