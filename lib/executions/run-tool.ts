// The one path by which anything is run, whatever door it came through:
// limits → record → sandbox → run → record. History, quotas and audit therefore never miss a run.
import { v7 } from "uuid";
import { findTool } from "#mcp/tools/catalogue.ts";
import { describeExecution } from "#mcp/tools/execution-view.ts";
import type { Tool } from "#mcp/tools/tool.ts";
import { AppError } from "../app-error.ts";
import { requests } from "../log.ts";
import { loggedError } from "../logged-error.ts";
import { inSpan, inStage } from "../observe/in-stage.ts";
import { beginCall } from "./begin-call.ts";
import { checkExecution } from "./follow.ts";
import { beginLive, type LiveCall } from "./live-calls.ts";
import { perform } from "./perform.ts";
import { limitRate } from "./rate-limit.ts";
import { runRecorded } from "./run-recorded.ts";
import { viewOfQueued } from "./stored-execution.ts";
import type { ToolCall, ToolResult } from "./tool-call.ts";
import { toResult } from "./tool-result.ts";

export type { Door, ToolCall, ToolResult } from "./tool-call.ts";

// A program's own sandbox hands it over at the deadline, with what it has printed, and a busy server takes a moment to pass
// that on. This is for everything else, and still before clients give up.
const GRACE_MS = 5_000;
const LOOK_MS = 500;

export async function runTool(call: ToolCall): Promise<ToolResult> {
  limitRate(call.userId);
  const tool = findTool(call.name, call.toolset);
  if (!tool) throw new AppError("not_found", `There is no tool "${call.name}". GET /tools lists them.`);
  const input = parseInput(tool, call.arguments);
  const live = beginLive(call.executionId ?? v7(), call);
  const run = tool.recorded ? beginAndRun : runUnrecorded;
  const ended = observed(live, call, () => run(tool, input, live, call)).finally(live.end);
  return tool.recorded ? whilePatient(ended, live) : ended;
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

async function beginAndRun(tool: Tool, input: unknown, live: LiveCall, call: ToolCall): Promise<ToolResult> {
  const begun = await inStage("record_begin", () => beginCall(tool, input, live, call));
  if ("earlier" in begun) return begun.earlier;
  live.state = begun.status;
  return runRecorded(tool, input, live, call);
}

/** Pure reads are only counted and limited. */
async function runUnrecorded(
  tool: Tool,
  input: unknown,
  live: LiveCall,
  call: ToolCall,
): Promise<ToolResult> {
  live.state = "running";
  try {
    const outcome = await perform(tool, input, live, call);
    live.count("completed");
    return toResult(outcome);
  } catch (error) {
    live.count("refused");
    throw error;
  }
}

/**
 * A caller whose patience ends before the call does, in the line or anywhere else, gets a handle; the run has its turn and
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

function parseInput(tool: Tool, given: unknown): unknown {
  const parsed = tool.input.safeParse(given ?? {});
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const where = issue?.path.join(".");
  throw new AppError("bad_request", `${tool.name}: ${[where, issue?.message].filter(Boolean).join(" ")}.`, {
    ...(where && { field: where }),
  });
}
