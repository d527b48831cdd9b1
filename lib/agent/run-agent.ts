// A whole turn of the agent, for every door that offers one: runs it, tells its parts as they come, records what it used.
import type { TextStreamPart, ToolSet } from "ai";
import { insertAgentTurn } from "#db/queries/agent-turns.ts";
import { db } from "../database.ts";
import { log } from "../log.ts";
import type { ChosenModel } from "../models/choose-model.ts";
import { modelProblem } from "../models/model-problem.ts";
import { requireTokensLeft } from "../models/token-limit.ts";
import { countTokens } from "../observe/metrics.ts";
import { type AgentOutcome, OutcomeWatch } from "./agent-outcome.ts";
import { watchSilence } from "./silence.ts";
import { type AgentTurn, streamAgent } from "./stream-agent.ts";

export interface FinishedTurn extends AgentOutcome {
  /** By call, what came of it, also of those that were cut short. */
  outputs: Map<string, Record<string, unknown>>;
}

/** While `onPart` is pending, no more is asked of the model. Resolves when the model is silent and no program runs. */
export async function runAgent(
  turn: AgentTurn,
  onPart: (part: TextStreamPart<ToolSet>, tools: ToolSet) => void | Promise<void>,
): Promise<FinishedTurn> {
  await requireTokensLeft(turn.userId, turn.chosen);
  const started = performance.now();
  // Whoever listens may fail too, or have heard enough; then there is nobody left to go on for.
  const deserted = new AbortController();
  const silence = watchSilence();
  const { stream, late, tools, busy, settled } = await streamAgent({
    ...turn,
    signal: AbortSignal.any([turn.signal, deserted.signal, silence.signal]),
  });
  const watch = new OutcomeWatch(turn.chosen.provider);
  silence.begin(busy);
  try {
    for await (const part of stream) {
      silence.pause();
      watch.see(part);
      if (part.type === "error") tellLog(part.error, turn.chosen);
      if (!isForerunner(part)) await onPart(part, tools);
      if (watch.tooLong) deserted.abort();
      silence.begin(busy);
    }
  } catch (error) {
    watch.see({ type: "error", error });
    deserted.abort();
  } finally {
    silence.pause();
  }
  const outputs = await settled();
  const outcome = watch.outcome({
    stopped: turn.signal.aborted,
    late: late.aborted,
    silent: silence.signal.aborted,
  });
  await record(turn, outcome, performance.now() - started);
  return { ...outcome, outputs };
}

/** The SDK tells a tool's last word twice, first as one of its preliminary ones. */
function isForerunner(part: TextStreamPart<ToolSet>): boolean {
  return part.type === "tool-result" && part.preliminary === true && part.output?.status !== "running";
}

function tellLog(error: unknown, { id, provider }: ChosenModel): void {
  log().warn({ err: modelProblem(error, provider), model: id }, "a model failed");
}

async function record({ userId, door, chosen }: AgentTurn, outcome: AgentOutcome, ms: number): Promise<void> {
  const { status, steps, inputTokens, outputTokens } = outcome;
  countTokens(chosen.provider, { input: inputTokens, output: outputTokens });
  const row = { userId, door, model: chosen.id, ownKey: chosen.ownKey, steps, inputTokens, outputTokens };
  await insertAgentTurn(db(), { ...row, outcome: status, durationMs: Math.round(ms) }).catch((err) =>
    log().error({ err }, "what a turn used could not be recorded"),
  );
}
