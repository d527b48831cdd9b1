// A call whose row is written: the run, and how it ended put down beside it, whatever happens in between.
import type { AnyExecutionView } from "#mcp/tools/execution-view.ts";
import type { Outcome } from "#mcp/tools/tool.ts";
import { toAppError } from "../app-error.ts";
import { inStage } from "../observe/in-stage.ts";
import { readySandbox } from "../sandboxes/sandboxes.ts";
import { keepFollowing } from "./follow.ts";
import { harvestOutcome } from "./harvest-run.ts";
import type { LiveCall } from "./live-calls.ts";
import { keepLongCall } from "./long-calls.ts";
import { perform } from "./perform.ts";
import { recordEnd } from "./record.ts";
import { endingOf, endOf, storedResult } from "./stored-execution.ts";
import { type ToolCall, type ToolResult, toResult, type Work } from "./tool-call.ts";

export async function runRecorded(
  work: Work,
  input: unknown,
  live: LiveCall,
  call: ToolCall,
): Promise<ToolResult> {
  const { id } = live;
  const started = performance.now();
  const lasted = () => Math.round(performance.now() - started);
  let outcome: Outcome;
  try {
    const made = await perform(work, input, live, call);
    outcome = await inStage("harvest", () => harvestOutcome({ ...call, executionId: id }, made));
  } catch (error) {
    const stopped = live.signal.aborted;
    live.count(stopped ? "cancelled" : "refused");
    const { message, status } = toAppError(error);
    // Where nothing was done the key may be used again; where something may have been, it stands for that.
    const free = (!live.touched || status < 500) && { idempotencyKey: null };
    await recordEnd(id, {
      status: stopped ? "cancelled" : "failed",
      stderr: Buffer.from(message),
      durationMs: lasted(),
      ...free,
    });
    throw error;
  }
  const result = toResult(outcome);
  if (goesOn(outcome, live, call)) return result;
  const { execution, structured } = outcome;
  const end = execution
    ? endOf(execution, structured as Partial<AnyExecutionView>)
    : { durationMs: lasted(), ...endingOf(outcome) };
  const kept = call.idempotencyKey && { result: storedResult(result) };
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
    (outcome) => live.count(endingOf(outcome).status),
    () => live.count("failed"),
  );
  return true;
}
