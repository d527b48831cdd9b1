// The tools the conformance suite calls by name, as its descriptions ask for them.
import { setTimeout as sleep } from "node:timers/promises";
import {
  type McpServer,
  MissingRequiredClientCapabilityError,
  type ServerContext,
  type ServerNotifier,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import { capabilitiesOf, PIXEL, SILENCE, said } from "./fixture-content.ts";

const image = { type: "image" as const, data: PIXEL, mimeType: "image/png" };
const nothing = z.object({});

export function registerTools(server: McpServer, notify: ServerNotifier | undefined): void {
  const simple = { description: "A fixture.", inputSchema: nothing };
  server.registerTool("test_simple_text", simple, () => said("This is a simple text response for testing."));
  server.registerTool("test_image_content", simple, () => ({ content: [image] }));
  server.registerTool("test_audio_content", simple, () => ({
    content: [{ type: "audio", data: SILENCE, mimeType: "audio/wav" }],
  }));
  server.registerTool("test_embedded_resource", simple, () => ({
    content: [
      {
        type: "resource",
        resource: {
          uri: "test://embedded-resource",
          mimeType: "text/plain",
          text: "This is an embedded resource content.",
        },
      },
    ],
  }));
  server.registerTool("test_multiple_content_types", simple, () => ({
    content: [
      { type: "text", text: "Multiple content types test:" },
      image,
      {
        type: "resource",
        resource: {
          uri: "test://mixed-content-resource",
          mimeType: "application/json",
          text: JSON.stringify({ test: "data", value: 123 }),
        },
      },
    ],
  }));
  server.registerTool("test_error_handling", simple, () => {
    throw new Error("This tool intentionally returns an error for testing");
  });
  server.registerTool("test_tool_with_progress", simple, async (_input, { mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken;
    for (const progress of [0, 50, 100]) {
      if (progressToken !== undefined) {
        const params = { progressToken, progress, total: 100 };
        await mcpReq.notify({ method: "notifications/progress", params });
      }
      await sleep(50);
    }
    return said("Done.");
  });
  for (const name of ["test_tool_with_logging", "test_logging_tool"]) {
    server.registerTool(name, simple, async (_input, { mcpReq }) => {
      for (const text of ["Tool execution started", "Tool processing data", "Tool execution completed"]) {
        await mcpReq.log("info", text);
        await sleep(50);
      }
      return said("Done.");
    });
  }
  server.registerTool("test_missing_capability", simple, () => said("Declared."));
  refuseUndeclared(server);
  server.registerTool("test_trigger_tool_change", simple, () => {
    notify?.toolsChanged();
    return said("Told.");
  });
  server.registerTool("test_trigger_prompt_change", simple, () => {
    notify?.promptsChanged();
    return said("Told.");
  });
}

type Handler = (request: { params?: { name?: string } }, context: ServerContext) => unknown;

/** The SDK makes every error of a tool a result; this one has to be an error of the protocol. */
function refuseUndeclared({ server }: McpServer): void {
  const handlers = (server as unknown as { _requestHandlers: Map<string, Handler> })._requestHandlers;
  const call = handlers.get("tools/call");
  if (!call) throw new Error("The SDK keeps its handlers elsewhere.");
  handlers.set("tools/call", (request, context) => {
    if (request.params?.name === "test_missing_capability" && !capabilitiesOf(context).sampling) {
      throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } });
    }
    return call(request, context);
  });
}
