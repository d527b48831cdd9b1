// Tools of the 2025 revisions that ask the client something in the middle of a call, in that call's own answer: the other
// stream, which a client opens by the way, may not be there yet, and what is said to nobody is lost.
import type { McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import { said } from "./fixture-content.ts";

type Schema = Parameters<Asked["elicitInput"]>[0];
type Asked = {
  elicitInput: (params: never, within: object) => Promise<{ action: string; content?: unknown }>;
};

const titled = (word: string) =>
  ["First", "Second", "Third"].map((nth, index) => ({ const: `value${index + 1}`, title: `${nth} ${word}` }));
const options = ["option1", "option2", "option3"];

const DEFAULTS = {
  name: { type: "string", default: "John Doe" },
  age: { type: "integer", default: 30 },
  score: { type: "number", default: 95.5 },
  status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
  verified: { type: "boolean", default: true },
};

const ENUMS = {
  untitledSingle: { type: "string", enum: options },
  titledSingle: { type: "string", oneOf: titled("Option") },
  legacyEnum: {
    type: "string",
    enum: ["opt1", "opt2", "opt3"],
    enumNames: ["Option One", "Option Two", "Option Three"],
  },
  untitledMulti: { type: "array", items: { type: "string", enum: options } },
  titledMulti: { type: "array", items: { anyOf: titled("Choice") } },
};

export function registerQuestions(server: McpServer): void {
  server.registerTool(
    "test_sampling",
    { description: "A fixture.", inputSchema: z.object({ prompt: z.string() }) },
    async ({ prompt }, { mcpReq }) => {
      const { content } = await mcpReq.requestSampling(
        { messages: [{ role: "user", content: { type: "text", text: prompt } }], maxTokens: 100 },
        { relatedRequestId: mcpReq.id },
      );
      const [first] = [content].flat();
      return said(`LLM response: ${first?.type === "text" ? first.text : ""}`);
    },
  );
  server.registerTool(
    "test_elicitation",
    { description: "A fixture.", inputSchema: z.object({ message: z.string() }) },
    async ({ message }, { mcpReq }) => {
      const requestedSchema = {
        type: "object" as const,
        properties: {
          username: { type: "string" as const, description: "User's response" },
          email: { type: "string" as const, description: "User's email address" },
        },
        required: ["username", "email"],
      };
      const answer = await mcpReq.elicitInput({ message, requestedSchema }, { relatedRequestId: mcpReq.id });
      return said(`User response: action: ${answer.action}, content: ${JSON.stringify(answer.content)}`);
    },
  );
  for (const [name, properties] of Object.entries({ sep1034_defaults: DEFAULTS, sep1330_enums: ENUMS })) {
    const simple = { description: "A fixture.", inputSchema: z.object({}) };
    server.registerTool(`test_elicitation_${name}`, simple, async (_input, { mcpReq }) => {
      const asked = { message: "Please fill in.", requestedSchema: { type: "object", properties } };
      const { action, content } = await (mcpReq as Asked).elicitInput(asked as Schema, {
        relatedRequestId: mcpReq.id,
      });
      return said(`Elicitation completed: action=${action}, content=${JSON.stringify(content)}`);
    });
  }
}
