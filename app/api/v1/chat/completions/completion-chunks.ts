// A turn of the agent in OpenAI's words. Text is text; what the tools do is told in a field `cove` beside it, which
// ordinary clients don't look at.
import type { TextStreamPart, ToolSet } from "ai";
import { v7 } from "uuid";
import type { AgentOutcome } from "#lib/agent/agent-outcome.ts";
import { AppError } from "#lib/app-error.ts";

export type ToolActivity =
  | { type: "tool_call"; id: string; name: string; arguments: unknown }
  | { type: "tool_output"; id: string; stdout: string; stderr: string }
  | { type: "tool_result"; id: string; name: string; result: unknown }
  | { type: "tool_error"; id: string; name: string; message: string };

export class Completion {
  readonly #head: { id: string; created: number; model: string };
  #text = "";
  /** Text of another step begins a new paragraph. */
  #pause = "";
  #activity: ToolActivity[] = [];

  constructor(model: string) {
    this.#head = { id: `chatcmpl-${v7()}`, created: Math.floor(Date.now() / 1000), model };
  }

  /** What this part adds to the stream, if anything. */
  add(part: TextStreamPart<ToolSet>): unknown {
    switch (part.type) {
      case "text-delta": {
        const content = this.#pause + part.text;
        this.#pause = "";
        this.#text += content;
        return content ? this.#chunk({ content }) : undefined;
      }
      case "finish-step":
        if (this.#text) this.#pause = "\n\n";
        return undefined;
      case "tool-call":
        return this.#tell({
          type: "tool_call",
          id: part.toolCallId,
          name: part.toolName,
          arguments: part.input,
        });
      case "tool-result": {
        const { toolCallId: id, toolName: name, output } = part;
        if (!part.preliminary) return this.#tell({ type: "tool_result", id, name, result: output });
        const { stdout, stderr } = output as { stdout: string; stderr: string };
        return this.#chunk({}, { type: "tool_output", id, stdout, stderr });
      }
      case "tool-error": {
        const { toolCallId: id, toolName: name, error } = part;
        const message =
          error instanceof AppError ? error.message : "The model made a call that can't be read.";
        return this.#tell({ type: "tool_error", id, name, message });
      }
      default:
        return undefined;
    }
  }

  first(): unknown {
    return this.#chunk({ role: "assistant", content: "" });
  }

  last(outcome: AgentOutcome): unknown {
    return { ...this.#chunk({}), choices: [{ index: 0, delta: {}, finish_reason: finishReason(outcome) }] };
  }

  usage(outcome: AgentOutcome): unknown {
    return { ...this.#chunk({}), choices: [], usage: usage(outcome) };
  }

  /** All at once, for who doesn't stream. */
  whole(outcome: AgentOutcome): unknown {
    const message = { role: "assistant", content: this.#text, refusal: null };
    return {
      ...this.#head,
      object: "chat.completion",
      choices: [{ index: 0, message, logprobs: null, finish_reason: finishReason(outcome) }],
      usage: usage(outcome),
      cove: { activity: this.#activity },
    };
  }

  #tell(activity: ToolActivity): unknown {
    this.#activity.push(activity);
    return this.#chunk({}, activity);
  }

  #chunk(delta: object, cove?: ToolActivity): object {
    return {
      ...this.#head,
      object: "chat.completion.chunk",
      choices: [{ index: 0, delta, logprobs: null, finish_reason: null }],
      ...(cove && { cove }),
    };
  }
}

function finishReason({ status, finishReason }: AgentOutcome): string {
  if (finishReason === "content-filter") return "content_filter";
  return status === "done" ? "stop" : "length";
}

function usage({ inputTokens, outputTokens }: AgentOutcome) {
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
  };
}
