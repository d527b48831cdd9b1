// The system prompt as a prompt of the protocol, for clients that let people pick one.
import { ProtocolError, ProtocolErrorCode, type Server } from "@modelcontextprotocol/server";

const PROMPT = {
  name: "agent_system_prompt",
  title: "How to work in Cove",
  description:
    "Instructions for an agent that works with these tools, the skills it can read and the limits it has.",
};

export function serveSystemPrompt(server: Server, systemPrompt: () => Promise<string>): void {
  server.setRequestHandler("prompts/list", () => ({ prompts: [PROMPT] }));
  server.setRequestHandler("prompts/get", async ({ params }) => {
    if (params.name !== PROMPT.name)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, "There is no such prompt.");
    return {
      description: PROMPT.description,
      messages: [{ role: "user", content: { type: "text", text: await systemPrompt() } }],
    };
  });
}
