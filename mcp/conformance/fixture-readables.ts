// The resources and prompts the conformance suite reads.
import { completable, type McpServer, ResourceTemplate } from "@modelcontextprotocol/server";
import { z } from "zod";
import { PIXEL } from "./fixture-content.ts";

const described = { description: "A fixture." };

export function registerResources(server: McpServer): void {
  const text = "This is the content of the static text resource.";
  server.registerResource(
    "static-text",
    "test://static-text",
    { ...described, mimeType: "text/plain" },
    () => ({
      contents: [{ uri: "test://static-text", mimeType: "text/plain", text }],
    }),
  );
  server.registerResource(
    "static-binary",
    "test://static-binary",
    { ...described, mimeType: "image/png" },
    () => ({
      contents: [{ uri: "test://static-binary", mimeType: "image/png", blob: PIXEL }],
    }),
  );
  server.registerResource(
    "watched",
    "test://watched-resource",
    { ...described, mimeType: "text/plain" },
    () => ({
      contents: [{ uri: "test://watched-resource", mimeType: "text/plain", text: "Watched." }],
    }),
  );
  const template = new ResourceTemplate("test://template/{id}/data", { list: undefined });
  const mimeType = "application/json";
  server.registerResource("template", template, { ...described, mimeType }, (uri, { id }) => ({
    contents: [
      {
        uri: uri.href,
        mimeType,
        text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
      },
    ],
  }));
}

export function registerPrompts(server: McpServer): void {
  server.registerPrompt("test_simple_prompt", described, () => ({
    messages: [user("This is a simple prompt for testing.")],
  }));
  const argument = completable(z.string(), (value) =>
    ["paris", "park", "party"].filter((word) => word.startsWith(value)),
  );
  server.registerPrompt(
    "test_prompt_with_arguments",
    { ...described, argsSchema: z.object({ arg1: argument, arg2: z.string() }) },
    ({ arg1, arg2 }) => ({ messages: [user(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)] }),
  );
  server.registerPrompt(
    "test_prompt_with_embedded_resource",
    { ...described, argsSchema: z.object({ resourceUri: z.string() }) },
    ({ resourceUri }) => {
      const resource = {
        uri: resourceUri,
        mimeType: "text/plain",
        text: "Embedded resource content for testing.",
      };
      return {
        messages: [
          { role: "user", content: { type: "resource", resource } },
          user("Please process the embedded resource above."),
        ],
      };
    },
  );
  server.registerPrompt("test_prompt_with_image", described, () => ({
    messages: [
      { role: "user", content: { type: "image", data: PIXEL, mimeType: "image/png" } },
      user("Please analyze the image above."),
    ],
  }));
}

function user(text: string) {
  return { role: "user" as const, content: { type: "text" as const, text } };
}
