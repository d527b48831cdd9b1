// The one path by which anything is run, whatever door it came through:
// limits → record → sandbox → run → record. History, quotas and audit therefore never miss a run.
import { v7 } from "uuid";
import { findTool } from "#mcp/tools/catalogue.ts";
import type { AnyExecutionView } from "#mcp/tools/execution-view.ts";
import type { Outcome, Tool } from "#mcp/tools/tool.ts";
import { AppError } from "../app-error.ts";
import { sandboxes } from "../sandboxes/sandboxes.ts";
import { beginCall } from "./begin-call.ts";
import { keepFollowing } from "./follow.ts";
import { beginLive, type LiveCall } from "./live-calls.ts";
import { keepLongCall } from "./long-calls.ts";
import { perform } from "./perform.ts";
import { limitRate } from "./rate-limit.ts";
import { recordEnd } from "./record.ts";
import { endOf, viewOfQueued } from "./stored-execution.ts";
import type { ToolCall, ToolResult } from "./tool-call.ts";
import { toResult } from "./tool-result.ts";

export type { Door, ToolCall, ToolResult } from "./tool-call.ts";

export async function runTool(call: ToolCall): Promise<ToolResult> {
  const tool = findTool(call.name, call.toolset);
  if (!tool) throw new AppError("not_found", `There is no tool "${call.name}". GET /tools lists them.`);
  const input = parseInput(tool, call.arguments);
  limitRate(call.userId);
  const live = beginLive(call.executionId ?? v7(), call);
  if (!tool.recorded) return toResult(await perform(tool, input, live, call).finally(live.end));

  const begun = await beginCall(live.id, call).catch((error) => {
    live.end();
    throw error;
  });
  if ("earlier" in begun) {
    live.end();
    return begun.earlier;
  }
  live.state = begun.status;
  const ended = runRecorded(tool, input, live, call).finally(live.end);
  return call.waitMs === undefined ? ended : Promise.race([ended, handleIfQueued(live, call.waitMs, ended)]);
}

async function runRecorded(tool: Tool, input: unknown, live: LiveCall, call: ToolCall): Promise<ToolResult> {
  const { id } = live;
  const started = performance.now();
  const lasted = () => Math.round(performance.now() - started);
  let outcome: Outcome;
  try {
    outcome = await perform(tool, input, live, call);
  } catch (error) {
    // Nothing ran, so the key may be used again.
    const stderr = Buffer.from(error instanceof Error ? error.message : String(error));
    await recordEnd(id, { status: "failed", stderr, durationMs: lasted(), idempotencyKey: null });
    throw error;
  }
  const result = toResult(outcome);
  const { execution } = outcome;
  if (execution?.status === "running") {
    void keepFollowing(call.userId, id);
    return result;
  }
  if (outcome.goesOn) {
    keepLongCall(id, outcome.goesOn);
    return result;
  }
  const end = execution
    ? endOf(execution, (outcome.structured as Partial<AnyExecutionView>).results)
    : {
        durationMs: lasted(),
        ...(outcome.ending ?? { status: "completed", stdout: Buffer.from(outcome.text) }),
      };
  const kept = call.idempotencyKey && { result: JSON.stringify({ ...result, images: [] }) };
  await recordEnd(id, { ...end, ...kept }, execution && (await sandboxes()).opened(call.userId));
  return result;
}

/** A caller whose patience ends in the line gets a handle; the run still has its turn. */
async function handleIfQueued(
  live: LiveCall,
  waitMs: number,
  ended: Promise<ToolResult>,
): Promise<ToolResult> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, waitMs);
  ended.then(
    () => clearTimeout(timer),
    () => clearTimeout(timer),
  );
  await promise;
  return live.state === "queued" ? toResult(viewOfQueued(live.id)) : ended;
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
