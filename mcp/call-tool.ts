// Tools over the protocol: the list as it is, and calls with live output on the way to their result.
import type { CallToolResult, Server } from "@modelcontextprotocol/server";
import { cancellable, type Origin } from "./cancellation.ts";
import { reportProgress } from "./progress.ts";
import type { ToolDocument } from "./tools/catalogue-document.ts";
import type { ResourceLink, ToolContext } from "./tools/tool.ts";

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
  links?: ResourceLink[];
  isError: boolean;
}>;

const IDEMPOTENCY_KEY = "cove/idempotency-key";

export function serveTools(
  server: Server,
  { tools, runTool }: { tools: readonly ToolDocument[]; runTool: RunTool },
  origin: Origin,
): void {
  server.setRequestHandler("tools/list", () => ({ tools: tools as never }));

  server.setRequestHandler("tools/call", async ({ params }, { mcpReq }) => {
    const key = mcpReq._meta?.[IDEMPOTENCY_KEY];
    const onOutput = reportProgress(mcpReq._meta?.progressToken, mcpReq.notify);
    try {
      const result = await cancellable(server, origin, mcpReq, (signal) =>
        runTool({
          name: params.name,
          arguments: params.arguments,
          signal,
          ...(onOutput && { onOutput }),
          ...(typeof key === "string" && { idempotencyKey: key }),
        }),
      );
      return toCallResult(result);
    } catch (error) {
      // A refusal is something the model can read and act on; a broken protocol would only end its work.
      return {
        content: [{ type: "text", text: error instanceof Error ? error.message : String(error) }],
        isError: true,
      };
    }
  });
}

function toCallResult(result: Awaited<ReturnType<RunTool>>): CallToolResult {
  const { structured, text, images, links = [], isError } = result;
  const pictures = images.map(({ mime, data }) => ({
    type: "image" as const,
    mimeType: mime,
    data: data.toString("base64"),
  }));
  const addresses = links.map(({ mime, ...link }) => ({
    type: "resource_link" as const,
    mimeType: mime,
    ...link,
  }));
  return {
    content: [{ type: "text", text }, ...pictures, ...addresses],
    structuredContent: structured,
    isError,
  };
}
