// How a turn of the agent ended and what it used, read from its stream.
import type { FinishReason, TextStreamPart, ToolSet } from "ai";
import { env } from "#env.ts";
import type { ErrorCode } from "../app-error.ts";
import { AppError } from "../app-error.ts";
import type { Provider } from "../models/credentials.ts";
import { modelProblem } from "../models/model-problem.ts";

export interface AgentOutcome {
  /** `stopped`: by its person, or at one of its limits; then `problem` says which. */
  status: "done" | "stopped" | "failed";
  problem?: AppError;
  finishReason: FinishReason;
  steps: number;
  inputTokens: number;
  outputTokens: number;
}

const MOST_CHARACTERS = 4_000_000;

export class OutcomeWatch {
  #provider: Provider;
  #finish: { reason: FinishReason; raw: string | undefined } | undefined;
  #error: unknown;
  #steps = 0;
  #inputTokens = 0;
  #outputTokens = 0;
  #characters = 0;

  constructor(provider: Provider) {
    this.#provider = provider;
  }

  see(part: TextStreamPart<ToolSet>): void {
    if (part.type === "error") this.#error ??= part.error;
    if (part.type === "text-delta" || part.type === "reasoning-delta") this.#characters += part.text.length;
    if (part.type === "tool-input-delta") this.#characters += part.delta.length;
    if (part.type !== "finish-step") return;
    this.#steps += 1;
    this.#inputTokens += part.usage.inputTokens ?? 0;
    this.#outputTokens += part.usage.outputTokens ?? 0;
    this.#finish = { reason: part.finishReason, raw: part.rawFinishReason };
  }

  /** More was said than anybody reads, and than memory should hold. */
  get tooLong(): boolean {
    return this.#characters > MOST_CHARACTERS;
  }

  /** `stopped` by whoever asked; `late` when its time was over; `silent` when the model was given up. */
  outcome({ stopped, late, silent }: { stopped: boolean; late: boolean; silent: boolean }): AgentOutcome {
    const used = {
      finishReason: this.#finish?.reason ?? ("other" as const),
      steps: this.#steps,
      inputTokens: this.#inputTokens,
      outputTokens: this.#outputTokens,
    };
    if (stopped) return { status: "stopped", ...used };
    if (this.tooLong) return { status: "stopped", problem: limit(`${MOST_CHARACTERS} characters`), ...used };
    if (late) return { status: "stopped", problem: limit(`${env().COVE_AGENT_TIMEOUT} seconds`), ...used };
    if (silent) return { ...failed("unavailable", "The model did not answer in time."), ...used };
    if (this.#error !== undefined) {
      return { status: "failed", problem: modelProblem(this.#error, this.#provider), ...used };
    }
    return { ...this.#ended(), ...used };
  }

  #ended(): Pick<AgentOutcome, "status" | "problem"> {
    const { reason, raw } = this.#finish ?? {};
    switch (reason) {
      case "stop":
        return { status: "done" };
      case "length":
        return {
          status: "stopped",
          problem: new AppError("conflict", "The answer reached the model's length limit."),
        };
      case "tool-calls":
        return {
          status: "stopped",
          problem:
            this.#steps >= env().COVE_AGENT_STEPS
              ? limit(`${env().COVE_AGENT_STEPS} steps`)
              : limit(`${env().COVE_AGENT_TOKENS} tokens`),
        };
      case "content-filter":
        return failed("bad_request", "The provider's filter held the answer back.");
      default:
        return raw === undefined
          ? failed("unavailable", "The model's answer broke off. Try again.")
          : failed("unavailable", "The model ended without a proper answer. Try again.");
    }
  }
}

function failed(code: ErrorCode, message: string): Pick<AgentOutcome, "status" | "problem"> {
  return { status: "failed", problem: new AppError(code, message) };
}

function limit(what: string): AppError {
  return new AppError("conflict", `Stopped at the limit of ${what} for one turn. Ask again to go on.`);
}
