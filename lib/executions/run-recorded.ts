// A call whose row is written: the run, and how it ended put down beside it, whatever happens in between.
import type { AnyExecutionView } from "#mcp/tools/execution-view.ts";
import type { Outcome, Tool } from "#mcp/tools/tool.ts";
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
    outcome = await harvestOutcome({ ...call, executionId: id }, await perform(tool, input, live, call));
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
  await recordEnd(id, { ...end, ...kept }, execution && (await readySandbox(call.userId)));
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
