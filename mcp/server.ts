// Cove as an MCP server. A fresh one answers each request; everything costly (schemas) is made once, elsewhere.
import { Server } from "@modelcontextprotocol/server";
import packageJson from "#package.json" with { type: "json" };
import { reportProgress } from "./progress.ts";
import { catalogueDocument } from "./tools/catalogue-document.ts";
import type { ToolContext } from "./tools/tool.ts";

/** Runs a tool as the caller. Handed in, because who that is was decided at the door. */
export type RunTool = (call: {
  name: string;
  arguments: unknown;
  signal: AbortSignal;
  onOutput?: ToolContext["onOutput"];
  idempotencyKey?: string;
}) => Promise<{
  structured: Record<string, unknown>;
  text: string;
  images: { mime: string; data: Buffer }[];
  isError: boolean;
}>;

const IDEMPOTENCY_KEY = "cove/idempotency-key";

export function createServer(runTool: RunTool): Server {
  const server = new Server(
    { name: "cove", title: "Cove", version: packageJson.version },
    { capabilities: { tools: {} } },
  );

  server.setRequestHandler("tools/list", () => ({ tools: catalogueDocument as never }));

  server.setRequestHandler("tools/call", async ({ params }, { mcpReq }) => {
    const key = mcpReq._meta?.[IDEMPOTENCY_KEY];
    const onOutput = reportProgress(mcpReq._meta?.progressToken, mcpReq.notify);
    try {
      const { structured, text, images, isError } = await runTool({
        name: params.name,
        arguments: params.arguments,
        signal: mcpReq.signal,
        ...(onOutput && { onOutput }),
        ...(typeof key === "string" && { idempotencyKey: key }),
      });
      const pictures = images.map(({ mime, data }) => ({
        type: "image" as const,
        mimeType: mime,
        data: data.toString("base64"),
      }));
      return { content: [{ type: "text", text }, ...pictures], structuredContent: structured, isError };
    } catch (error) {
      // A refusal is something the model can read and act on; a broken protocol would only end its work.
      return {
        content: [{ type: "text", text: error instanceof Error ? error.message : String(error) }],
        isError: true,
      };
    }
  });

  return server;
}
