import { z } from "zod";
import { agentView, describeAnswer } from "./agent-view.ts";
import type { ExecutionView } from "./execution-view.ts";
import { type AgentAnswer, defineTool, type Outcome } from "./tool.ts";

export const runAgent = defineTool({
  name: "run_agent",
  title: "Hand a task to Cove's agent",
  description: `Gives a whole task to Cove's own agent, which plans, writes code, runs it in the same sandbox, repairs it and answers
with the result and the artifacts it made. Say everything it needs to know: it doesn't see this conversation.

It may take minutes. If the answer is status "running", wait for it with check_execution and this execution_id.`,
  input: z.object({
    task: z.string().min(1).max(200_000).describe("What to do, in words."),
    model: z
      .string()
      .max(250)
      .optional()
      .describe("google/<name>, openai/<name> or local/<name>; the default if left out."),
  }),
  output: agentView,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  recorded: true,
  startsAgent: true,
  presentation: { title: "Agent", icon: "wrench", open: true },
  async run({ task, model }, { agent, executionId, signal, onOutput, waitMs }) {
    const started = performance.now();
    const stopping = new AbortController();
    const stop = () => stopping.abort();
    signal?.addEventListener("abort", stop, { once: true });
    if (signal?.aborted) stop();
    const answer = agent.run({
      task,
      ...(model && { model }),
      signal: stopping.signal,
      onText: (text) => onOutput?.({ stream: "stdout", data: Buffer.from(text) }),
    });
    const outcome = answer.then((given) => outcomeOf(given, executionId, performance.now() - started));
    const early = await (waitMs === undefined ? outcome : Promise.race([outcome, after(waitMs)]));
    signal?.removeEventListener("abort", stop);
    if (early) return early;
    // From here on it goes on without its caller.
    outcome.catch(() => undefined);
    return {
      structured: view(executionId, { status: "running" }),
      text: `Still working. Use check_execution with execution_id "${executionId}" to wait for the answer.`,
      goesOn: { end: outcome, stop },
    };
  },
});

function outcomeOf(given: AgentAnswer, executionId: string, ms: number): Outcome {
  const { status, answer, problem, artifacts } = given;
  const stderr = problem ?? "";
  const structured = view(executionId, {
    status,
    stdout: answer,
    stderr,
    answer,
    artifacts,
    duration_ms: Math.round(ms),
    model: given.model,
    steps: given.steps,
    input_tokens: given.inputTokens,
    output_tokens: given.outputTokens,
  });
  const ending = { status, stdout: Buffer.from(answer), stderr: Buffer.from(stderr) };
  return { structured, text: describeAnswer(structured), ending };
}

function view(
  executionId: string,
  given: Partial<z.infer<typeof agentView>> & Pick<ExecutionView, "status">,
) {
  return {
    execution_id: executionId,
    exit_code: null,
    stdout: "",
    stderr: "",
    truncated: false,
    duration_ms: 0,
    artifacts: [],
    answer: "",
    model: "",
    steps: 0,
    input_tokens: 0,
    output_tokens: 0,
    ...given,
  };
}

function after(ms: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(resolve, ms, undefined).unref());
}
