// Puts a message together from the chunks it is streamed in: on the server, which keeps it, and on every page that watches.
// A part that changes is a new object and the others stay what they are, so a page draws only what changed.
import type { DynamicToolUIPart, ReasoningUIPart, TextUIPart, UIMessageChunk } from "ai";
import type { ChatMessage } from "./chat-message.ts";

type Part = ChatMessage["parts"][number];

export class MessageParts {
  readonly parts: Part[] = [];
  /** Roughly, in characters. */
  size = 0;
  /** Where the parts that still grow are. */
  #texts = new Map<string, number>();
  #tools = new Map<string, number>();
  #inputs = new Map<string, string>();
  #readInput: ((text: string) => unknown) | undefined;

  /** `readInput` makes something of arguments that are still being written; without it they are there when they are whole. */
  constructor(readInput?: (text: string) => unknown) {
    this.#readInput = readInput;
  }

  add(chunk: UIMessageChunk): void {
    switch (chunk.type) {
      case "start-step":
        this.parts.push({ type: "step-start" });
        this.#texts.clear();
        break;
      case "text-start":
      case "reasoning-start": {
        const type = chunk.type === "text-start" ? "text" : "reasoning";
        const part: TextUIPart | ReasoningUIPart =
          type === "text"
            ? { type, text: "", state: "streaming" }
            : { type, id: chunk.id, text: "", state: "streaming" };
        if (chunk.providerMetadata) part.providerMetadata = chunk.providerMetadata;
        this.#texts.set(`${type} ${chunk.id}`, this.parts.push(part) - 1);
        break;
      }
      case "text-delta":
      case "reasoning-delta":
      case "text-end":
      case "reasoning-end": {
        const [type, step] = chunk.type.split("-");
        const index = this.#texts.get(`${type} ${chunk.id}`);
        if (index === undefined) break;
        const part = this.parts[index] as TextUIPart | ReasoningUIPart;
        const delta = "delta" in chunk ? chunk.delta : "";
        this.size += delta.length;
        this.parts[index] = {
          ...part,
          text: part.text + delta,
          ...(step === "end" && { state: "done" }),
          ...(chunk.providerMetadata && { providerMetadata: chunk.providerMetadata }),
        };
        break;
      }
      case "tool-input-start":
        this.#setTool(chunk, { state: "input-streaming", input: undefined });
        break;
      case "tool-input-delta": {
        this.size += chunk.inputTextDelta.length;
        if (!this.#readInput) break;
        const text = (this.#inputs.get(chunk.toolCallId) ?? "") + chunk.inputTextDelta;
        this.#inputs.set(chunk.toolCallId, text);
        this.#changeTool(chunk.toolCallId, { input: this.#readInput(text) });
        break;
      }
      case "tool-input-available":
        this.#setTool(chunk, {
          state: "input-available",
          input: chunk.input,
          ...(chunk.providerMetadata && { callProviderMetadata: chunk.providerMetadata }),
        });
        this.size += JSON.stringify(chunk.input)?.length ?? 0;
        break;
      case "tool-input-error":
        this.#setTool(chunk, {
          state: "output-error",
          input: chunk.input,
          errorText: chunk.errorText,
          ...(chunk.providerMetadata && { callProviderMetadata: chunk.providerMetadata }),
        });
        break;
      case "tool-output-available":
        this.#changeTool(chunk.toolCallId, {
          state: "output-available",
          output: chunk.output,
          preliminary: chunk.preliminary,
        });
        if (!chunk.preliminary) this.size += JSON.stringify(chunk.output)?.length ?? 0;
        break;
      case "tool-output-error":
        this.#changeTool(chunk.toolCallId, { state: "output-error", errorText: chunk.errorText });
        break;
    }
  }

  /** Calls that have begun and have no result yet. */
  unfinished(): DynamicToolUIPart[] {
    return this.parts.filter(
      (part) =>
        part.type === "dynamic-tool" &&
        (part.state === "input-available" ||
          part.state === "input-streaming" ||
          (part.state === "output-available" && part.preliminary)),
    ) as DynamicToolUIPart[];
  }

  #setTool(
    chunk: { toolCallId: string; toolName: string; title?: string },
    state: Record<string, unknown>,
  ): void {
    const { toolCallId, toolName, title } = chunk;
    const part = { type: "dynamic-tool", toolName, toolCallId, ...(title && { title }), ...state } as Part;
    const index = this.#tools.get(toolCallId);
    if (index === undefined) this.#tools.set(toolCallId, this.parts.push(part) - 1);
    else this.parts[index] = part;
  }

  #changeTool(toolCallId: string, state: Record<string, unknown>): void {
    const index = this.#tools.get(toolCallId);
    const part = index === undefined ? undefined : this.parts[index];
    if (index === undefined || !part) return;
    const { preliminary: _old, ...rest } = part as Part & { preliminary?: boolean };
    const next = Object.fromEntries(Object.entries(state).filter(([, value]) => value !== undefined));
    this.parts[index] = { ...rest, ...next } as Part;
  }
}
