// One turn of the agent: the model and the tools in a loop, within its budgets, stopped at once when told.
import {
  isStepCount,
  type ModelMessage,
  type StopCondition,
  streamText,
  type TextStreamPart,
  type ToolSet,
} from "ai";
import { env } from "#env.ts";
import { log } from "../log.ts";
import type { ChosenModel } from "../models/choose-model.ts";
import { NO_CONTENTS } from "../observe/in-stage.ts";
import { sandboxes } from "../sandboxes/sandboxes.ts";
import { type AgentCaller, type AgentTools, agentTools, toolOrder } from "./agent-tools.ts";
import { agentInstructions } from "./instructions.ts";

export interface AgentTurn extends AgentCaller {
  chosen: ChosenModel;
  messages: (tools: ToolSet) => ModelMessage[] | Promise<ModelMessage[]>;
  /** Added to Cove's own instructions, never instead of them. */
  instructions?: string;
  signal: AbortSignal;
  settings?: { temperature?: number; topP?: number; maxOutputTokens?: number; stopSequences?: string[] };
}

export interface AgentStream extends AgentTools {
  stream: ReadableStream<TextStreamPart<ToolSet>>;
  /** Aborted when the turn's time is over. */
  late: AbortSignal;
}

const LAST_STEP = "You have no further steps: sum up what is done, what is missing and where the files are.";

export async function streamAgent(turn: AgentTurn): Promise<AgentStream> {
  prepareAgent(turn.userId);
  const { COVE_AGENT_STEPS, COVE_AGENT_TIMEOUT, COVE_AGENT_TOKENS } = env();
  const late = AbortSignal.timeout(COVE_AGENT_TIMEOUT * 1000);
  const signal = AbortSignal.any([turn.signal, late]);
  const own = agentTools(turn, signal);
  const [base, messages] = await Promise.all([agentInstructions(turn.userId), turn.messages(own.tools)]);
  const instructions = turn.instructions ? `${base}\n\n${turn.instructions}` : base;
  const { stream } = streamText({
    model: turn.chosen.model,
    instructions,
    messages,
    tools: own.tools,
    toolOrder,
    stopWhen: [isStepCount(COVE_AGENT_STEPS), tokensSpent(COVE_AGENT_TOKENS)],
    // The last step is for words: work that ends in the middle of a call says nothing.
    prepareStep: ({ stepNumber }) =>
      stepNumber > 0 && stepNumber === COVE_AGENT_STEPS - 1
        ? { toolChoice: "none", instructions: `${instructions}\n\n${LAST_STEP}` }
        : undefined,
    abortSignal: signal,
    maxRetries: 2,
    streamRetries: 0,
    telemetry: NO_CONTENTS,
    // Whoever reads the stream finds errors in it.
    onError: () => undefined,
    ...turn.settings,
  });
  return { ...own, stream, late };
}

function tokensSpent(most: number): StopCondition<ToolSet> {
  return ({ steps }) =>
    steps.reduce((sum, { usage }) => sum + (usage.inputTokens ?? 0) + (usage.outputTokens ?? 0), 0) >= most;
}

/** What a turn will need anyway: its instructions, and a sandbox with Python at hand, started while the model still thinks. */
export function prepareAgent(userId: string): void {
  const tellLog = (err: unknown) => log().debug({ err }, "a turn could not be prepared ahead");
  agentInstructions(userId).catch(tellLog);
  sandboxes()
    .then((all) => all.open(userId))
    .then((sandbox) => sandbox.prewarm())
    .catch(tellLog);
}
