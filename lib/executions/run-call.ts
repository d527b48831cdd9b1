// The one path by which anything is run or changed, whatever door it came through:
// limits → record → sandbox → run → harvest → record. History, metrics, quotas and audit therefore never miss any of it.
import { v7 } from "uuid";
import { describeExecution } from "#mcp/tools/execution-view.ts";
import { requests } from "../log.ts";
import { loggedError } from "../logged-error.ts";
import { inSpan, inStage } from "../observe/in-stage.ts";
import { limitRate } from "../rate-limit.ts";
import { beginCall } from "./begin-call.ts";
import { checkExecution } from "./follow.ts";
import { beginLive, type LiveCall } from "./live-calls.ts";
import { perform } from "./perform.ts";
import { runRecorded } from "./run-recorded.ts";
import { viewOfQueued } from "./stored-execution.ts";
import { type ToolCall, type ToolResult, toResult, type Work } from "./tool-call.ts";

// A program's own sandbox hands it over at the deadline, with what it has printed, and a busy server takes a moment to pass
// that on. This is for everything else, and still before clients give up.
const GRACE_MS = 5_000;
const LOOK_MS = 500;

/** `prepare` finds the work and its input, or throws; that a call makes no sense doesn't free it from the limits. */
export async function runCall(
  call: ToolCall,
  prepare: () => { work: Work; input: unknown },
): Promise<ToolResult> {
  limitRate(call.userId);
  const { work, input } = prepare();
  const live = beginLive(call.executionId ?? v7(), call);
  const run = work.recorded ? beginAndRun : runUnrecorded;
  const ended = observed(live, call, () => run(work, input, live, call)).finally(live.end);
  return work.recorded ? whilePatient(ended, live) : ended;
}

/** What is logged and traced meanwhile names the call. */
function observed<T>({ id, userId }: LiveCall, { name, door }: ToolCall, work: () => Promise<T>): Promise<T> {
  const attributes = {
    "cove.tool": name,
    "cove.door": door,
    "cove.execution_id": id,
    "cove.user_id": userId,
  };
  return requests.run({ ...requests.getStore(), userId, executionId: id }, () =>
    inSpan(`tool ${name}`, attributes, work),
  );
}

async function beginAndRun(work: Work, input: unknown, live: LiveCall, call: ToolCall): Promise<ToolResult> {
  const begun = await inStage("record_begin", () => beginCall(work, input, live, call));
  if ("earlier" in begun) return begun.earlier;
  live.state = begun.status;
  return runRecorded(work, input, live, call);
}

/** Pure reads are only counted and limited. */
async function runUnrecorded(
  work: Work,
  input: unknown,
  live: LiveCall,
  call: ToolCall,
): Promise<ToolResult> {
  live.state = "running";
  try {
    const outcome = await perform(work, input, live, call);
    live.count("completed");
    return toResult(outcome);
  } catch (error) {
    live.count("refused");
    throw error;
  }
}

/**
 * A caller whose patience ends before the call does, in the queue or anywhere else, gets a handle; the run has its place and
 * its time all the same.
 */
async function whilePatient(ended: Promise<ToolResult>, live: LiveCall): Promise<ToolResult> {
  const leftMs = live.leftMs();
  if (leftMs === undefined) return ended;
  const { promise, resolve } = Promise.withResolvers<"impatient">();
  const timer = setTimeout(resolve, leftMs + GRACE_MS, "impatient");
  const first = await Promise.race([ended, promise]).finally(() => clearTimeout(timer));
  if (first !== "impatient") return first;
  live.letGo();
  ended.catch((error) => loggedError(error, { executionId: live.id }));
  const view =
    live.state === "queued" ? viewOfQueued(live.id) : await checkExecution(live.userId, live.id, LOOK_MS);
  return toResult({ structured: view, text: describeExecution(view) });
}
