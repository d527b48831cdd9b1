// Tools of the 2026 revision that need input first: they answer with what they need and are called again with it.

import { randomBytes } from "node:crypto";
import {
  createRequestStateCodec,
  type InputRequest,
  inputRequired,
  inputResponse,
  type McpServer,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import { capabilitiesOf, said } from "./fixture-content.ts";

export const stateCodec = createRequestStateCodec<{ round: number }>({ key: randomBytes(32) });

type Answer = { type: "string" } | { type: "boolean" };

const elicit = (message: string, property: string, schema: Answer = { type: "string" }) =>
  inputRequired.elicit({
    message,
    requestedSchema: { type: "object", properties: { [property]: schema }, required: [property] },
  });
const ask = (text: string, maxTokens: number) =>
  inputRequired.createMessage({ messages: [{ role: "user", content: { type: "text", text } }], maxTokens });

/** What each needs, and what it then says. */
const SIMPLE: Record<string, { requests: Record<string, InputRequest>; state?: boolean; done: string }> = {
  elicitation: { requests: { user_name: elicit("What is your name?", "name") }, done: "Hello" },
  sampling: { requests: { capital_question: ask("What is the capital of France?", 100) }, done: "Answer" },
  list_roots: { requests: { client_roots: inputRequired.listRoots() }, done: "Roots" },
  request_state: {
    requests: { confirm: elicit("Please confirm", "ok", { type: "boolean" }) },
    state: true,
    done: "state-ok",
  },
  tampered_state: {
    requests: { confirm: elicit("Please confirm", "ok", { type: "boolean" }) },
    state: true,
    done: "state-ok",
  },
  multiple_inputs: {
    requests: {
      user_name: elicit("What is your name?", "name"),
      greeting: ask("Generate a greeting", 50),
      client_roots: inputRequired.listRoots(),
    },
    state: true,
    done: "All",
  },
};

const simple = { description: "A fixture.", inputSchema: z.object({}) };

export function registerInputRequired(server: McpServer): void {
  for (const [name, { requests, state, done }] of Object.entries(SIMPLE)) {
    server.registerTool(`test_input_required_result_${name}`, simple, async (_input, { mcpReq }) => {
      if (!answered(mcpReq, Object.keys(requests))) {
        const requestState = state ? { requestState: await stateCodec.mint({ round: 1 }) } : {};
        return inputRequired({ inputRequests: requests, ...requestState });
      }
      return said(`${done}: ${JSON.stringify(mcpReq.inputResponses)}`);
    });
  }
  server.registerTool("test_input_required_result_multi_round", simple, async (_input, { mcpReq }) => {
    const round = mcpReq.requestState<{ round: number }>()?.round ?? 0;
    if (round === 2 && answered(mcpReq, ["step2"])) return said("Both steps are done.");
    const second = round === 1 && answered(mcpReq, ["step1"]);
    const inputRequests: Record<string, InputRequest> = second
      ? { step2: elicit("Step 2: What is your favorite color?", "color") }
      : { step1: elicit("Step 1: What is your name?", "name") };
    return inputRequired({ inputRequests, requestState: await stateCodec.mint({ round: second ? 2 : 1 }) });
  });
  server.registerTool("test_input_required_result_capabilities", simple, (_input, context) => {
    const can = capabilitiesOf(context);
    return inputRequired({
      inputRequests: {
        ...(can.elicitation && { name: elicit("What is your name?", "name") }),
        ...(can.sampling && { greeting: ask("Generate a greeting", 50) }),
      },
    });
  });
  server.registerTool("test_streaming_elicitation", simple, async (_input, { mcpReq }) => {
    if (answered(mcpReq, ["name"])) return said("Done.");
    return inputRequired({ inputRequests: { name: elicit("What is your name?", "name") } });
  });
  server.registerPrompt("test_input_required_result_prompt", { description: "A fixture." }, ({ mcpReq }) => {
    if (!answered(mcpReq, ["user_context"])) {
      const user_context = elicit("What context should the prompt use?", "context");
      return inputRequired({ inputRequests: { user_context } }) as never;
    }
    return { messages: [{ role: "user", content: { type: "text", text: "With your context." } }] };
  });
}

function answered({ inputResponses }: ServerContext["mcpReq"], keys: string[]): boolean {
  return keys.every((key) => {
    const answer = inputResponse(inputResponses, key);
    return answer.kind === "elicit" ? answer.content !== undefined : answer.kind !== "missing";
  });
}
