// A call whose row is written: the run, and how it ended put down beside it, whatever happens in between.
import type { AnyExecutionView } from "#mcp/tools/execution-view.ts";
import type { Outcome, Tool } from "#mcp/tools/tool.ts";
import { inStage } from "../observe/in-stage.ts";
import { readySandbox } from "../sandboxes/sandboxes.ts";
import { keepFollowing } from "./follow.ts";
import { harvestOutcome } from "./harvest-run.ts";
import type { LiveCall } from "./live-calls.ts";
import { keepLongCall } from "./long-calls.ts";
import { perform } from "./perform.ts";
import { recordEnd } from "./record.ts";
import { endOf } from "./stored-execution.ts";
import type { ToolCall, ToolResult } from "./tool-call.ts";
import { toResult } from "./tool-result.ts";

export async function runRecorded(
  tool: Tool,
  input: unknown,
  live: LiveCall,
  call: ToolCall,
): Promise<ToolResult> {
  const { id } = live;
  const started = performance.now();
  const lasted = () => Math.round(performance.now() - started);
  let outcome: Outcome;
  try {
    const made = await perform(tool, input, live, call);
    outcome = await inStage("harvest", () => harvestOutcome({ ...call, executionId: id }, made));
  } catch (error) {
    live.count("refused");
    // Nothing ran, so the key may be used again.
    const stderr = Buffer.from(error instanceof Error ? error.message : String(error));
    await recordEnd(id, { status: "failed", stderr, durationMs: lasted(), idempotencyKey: null });
    throw error;
  }
  const result = toResult(outcome);
  if (goesOn(outcome, live, call)) return result;
  const {
    execution,
    text,
    structured,
    ending = { status: "completed", stdout: Buffer.from(text) },
  } = outcome;
  const end = execution
    ? endOf(execution, (structured as Partial<AnyExecutionView>).results)
    : { durationMs: lasted(), ...ending };
  const kept = call.idempotencyKey && { result: JSON.stringify({ ...result, images: [] }) };
  const sandbox = execution && (await readySandbox(call.userId));
  await inStage("record_end", () => recordEnd(id, { ...end, ...kept }, sandbox));
  live.count(end.status);
  return result;
}

/** Whether it outlives its call; then it is seen to its end from here on. */
function goesOn({ execution, goesOn }: Outcome, live: LiveCall, { userId }: ToolCall): boolean {
  if (execution?.status === "running") {
    void keepFollowing(userId, live.id).then(live.count);
    return true;
  }
  if (!goesOn) return false;
  keepLongCall(live.id, goesOn);
  goesOn.end.then(
    ({ status }) => live.count(status),
    () => live.count("failed"),
  );
  return true;
}
