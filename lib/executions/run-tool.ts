// The one path by which anything is run, whatever door it came through:
// limits → record → sandbox → run → record. History, quotas and audit therefore never miss a run.
import { createHash } from "node:crypto";
import { v7 } from "uuid";
import { findExecutionByKey, insertExecution, startExecution } from "#db/queries/executions.ts";
import { findTool } from "#mcp/tools/catalogue.ts";
import type { Outcome, Tool } from "#mcp/tools/tool.ts";
import { ToolProblem } from "#mcp/tools/tool-problem.ts";
import type { OutputChunk } from "#sandbox/index.ts";
import { AppError } from "../app-error.ts";
import { db } from "../database.ts";
import { searchableCall } from "../history/searchable.ts";
import { log } from "../log.ts";
import { sandboxes } from "../sandboxes/sandboxes.ts";
import { noticeOwnSkills } from "../skills/own-skills.ts";
import { skillsForTools } from "../skills/skills-for-tools.ts";
import { checkExecution, followToEnd, stopExecution } from "./follow.ts";
import { keepLongCall } from "./long-calls.ts";
import { limitRate } from "./rate-limit.ts";
import { endOf, recordEnd } from "./record.ts";
import { fromSandbox } from "./sandbox-problem.ts";

/** `web` is a page that changes files; the others are named after themselves. */
export type Door = "rest" | "mcp" | "openai" | "chat" | "console" | "web";

export interface ToolCall {
  /** From the guard that let the caller in, and from nowhere else. */
  userId: string;
  door: Door;
  name: string;
  arguments: unknown;
  /** The chat it belongs to. */
  conversationId?: string;
  idempotencyKey?: string;
  /** Made here unless given by whoever has to know it before the run. */
  executionId?: string;
  signal?: AbortSignal;
  onOutput?: (chunk: OutputChunk) => void | Promise<void>;
  waitMs?: number;
}

export interface ToolResult {
  structured: Record<string, unknown>;
  text: string;
  images: { mime: string; data: Buffer }[];
  isError: boolean;
}

export async function runTool(call: ToolCall): Promise<ToolResult> {
  const tool = findTool(call.name);
  if (!tool) throw new AppError("not_found", `There is no tool "${call.name}". GET /tools lists them.`);
  const input = parseInput(tool, call.arguments);
  limitRate(call.userId);
  const id = call.executionId ?? v7();
  if (!tool.recorded) return toResult(await perform(tool, input, id, call));

  const earlier = await begin(id, call);
  return earlier ?? runRecorded(tool, input, id, call);
}

async function runRecorded(tool: Tool, input: unknown, id: string, call: ToolCall): Promise<ToolResult> {
  const started = performance.now();
  try {
    const outcome = await perform(tool, input, id, call);
    const result = toResult(outcome);
    if (outcome.execution?.status === "running") {
      followToEnd(call.userId, id).catch((err) =>
        log().error({ err, executionId: id }, "a run was lost sight of"),
      );
      return result;
    }
    if (outcome.goesOn) {
      keepLongCall(id, outcome.goesOn);
      return result;
    }
    const end = outcome.execution
      ? endOf(outcome.execution)
      : (outcome.ending ?? { status: "completed", stdout: Buffer.from(outcome.text) });
    await recordEnd(id, {
      durationMs: Math.round(performance.now() - started),
      ...end,
      ...(call.idempotencyKey && { result: JSON.stringify({ ...result, images: [] }) }),
    });
    if (outcome.execution) void forget(call.userId, id);
    return result;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const durationMs = Math.round(performance.now() - started);
    await recordEnd(id, { status: "failed", stderr: Buffer.from(message), durationMs });
    throw error;
  }
}

async function perform(tool: Tool, input: unknown, id: string, call: ToolCall): Promise<Outcome> {
  const { userId, signal, onOutput, waitMs } = call;
  try {
    const sandbox = await (await sandboxes()).open(userId);
    if (tool.recorded) await startExecution(db(), id, sandbox.id);
    const outcome = await tool.run(input, {
      sandbox,
      executionId: id,
      ...(signal && { signal }),
      ...(onOutput && { onOutput }),
      ...(waitMs !== undefined && { waitMs }),
      executions: {
        check: (executionId, patienceMs) => checkExecution(userId, executionId, patienceMs),
        stop: (executionId) => stopExecution(userId, executionId),
      },
      skills: skillsForTools(userId),
      // The agent runs tools itself, so it is loaded when it is asked for.
      agent: { run: async (task) => (await import("../agent/run-task.ts")).runTask(call, task) },
    });
    // A run that was cut off leaves a sandbox that may be gone, and one that goes on isn't done with its files.
    const over = outcome.execution?.status !== "interrupted" && outcome.execution?.status !== "running";
    if (tool.recorded && over) await noticeOwnSkills(userId, sandbox);
    return outcome;
  } catch (error) {
    if (error instanceof ToolProblem) throw new AppError("bad_request", error.message, { cause: error });
    throw fromSandbox(error);
  }
}

/** Writes the row. With a key that was used before: the earlier result instead, and nothing is run. */
async function begin(id: string, call: ToolCall): Promise<ToolResult | undefined> {
  const { userId, door, name, conversationId, idempotencyKey } = call;
  const given = JSON.stringify(call.arguments ?? {});
  const requestHash = createHash("sha256")
    .update(JSON.stringify([name, given]))
    .digest();
  const row = {
    id,
    userId,
    door,
    tool: name,
    arguments: given,
    status: "queued",
    conversationId,
    idempotencyKey,
    requestHash,
    ...searchableCall(name, call.arguments),
  };
  if (await insertExecution(db(), row)) return undefined;

  const earlier = idempotencyKey ? await findExecutionByKey(db(), userId, idempotencyKey) : undefined;
  if (!earlier?.requestHash?.equals(requestHash)) {
    throw new AppError("conflict", "This idempotency key was used for another request.");
  }
  if (earlier.result) return JSON.parse(earlier.result);
  const view = await checkExecution(userId, earlier.id, call.waitMs ?? 45_000);
  return toResult({ structured: view, text: view.stdout });
}

/** The run is on record, so the sandbox need not remember it. */
async function forget(userId: string, id: string): Promise<void> {
  try {
    await (await (await sandboxes()).open(userId)).collect(id);
  } catch (err) {
    log().debug({ err, executionId: id }, "a recorded run is forgotten by its sandbox later");
  }
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

function toResult({ structured, text, images = [] }: Outcome): ToolResult {
  const status = structured.status;
  const fine = status === undefined || status === "completed" || status === "running";
  return { structured, text, images, isError: !fine };
}
