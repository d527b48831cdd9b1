// Runs as others than their caller see them: looked at, watched, stopped, followed to their end.
import { setTimeout as sleep } from "node:timers/promises";
import { type ExecutionRow, findExecution } from "#db/queries/executions.ts";
import type { FollowedView } from "#mcp/tools/agent-view.ts";
import { anyViewOf } from "#mcp/tools/execution-view.ts";
import { isSandboxError, type OutputChunk, type RunResult } from "#sandbox/index.ts";
import { AppError } from "../app-error.ts";
import { executionArtifacts, linkedAnew, withHarvest } from "../artifacts/show-harvest.ts";
import { db } from "../database.ts";
import { log } from "../log.ts";
import { fromSandbox } from "../sandboxes/sandbox-problem.ts";
import { sandboxes } from "../sandboxes/sandboxes.ts";
import { noticeOwnSkills } from "../skills/notice-own-skills.ts";
import { harvestFollowed } from "./harvest-run.ts";
import { findLive } from "./live-calls.ts";
import { stopLongCall, waitForLongCall } from "./long-calls.ts";
import { recordEnd } from "./record.ts";
import { agentPartOf, endOf, viewOfQueued, viewOfRow } from "./stored-execution.ts";
import { withOutput } from "./stored-output.ts";

const LOOK_AGAIN_MS = 300;
const RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 30_000;
const STOP_PATIENCE_MS = 5_000;

/** The user's run as it is now, or as it ended; waits so long for the end. */
export function checkExecution(userId: string, id: string, waitMs: number): Promise<FollowedView> {
  return look(userId, id, { waitMs });
}

/** The user's run from its beginning: what it printed, what it prints now, and resolves to how it ended. */
export async function watchExecution(
  userId: string,
  id: string,
  listener: { onOutput(chunk: OutputChunk): void; signal: AbortSignal },
): Promise<FollowedView> {
  for (;;) {
    const view = await look(userId, id, { waitMs: LOOK_AGAIN_MS, listener });
    if (view.status !== "queued" && view.status !== "running") return view;
    // It waits for its place, or has just ended and is being written down.
    await sleep(LOOK_AGAIN_MS, undefined, { signal: listener.signal });
  }
}

/** Waits so long for a run to begin and to end; with a listener to its very end, once it has begun. */
async function look(
  userId: string,
  id: string,
  { waitMs, listener }: { waitMs: number; listener?: Parameters<typeof watchExecution>[2] },
): Promise<FollowedView> {
  const deadline = performance.now() + waitMs;
  const row = await requireExecution(userId, id);
  if (row.finishedAt) return viewOnRecord(userId, row);
  if (await waitForLongCall(id, waitMs)) return viewOnRecord(userId, await requireExecution(userId, id));
  const live = findLive(userId, id);
  if (live?.state === "queued") {
    await Promise.race([live.ended, sleep(waitMs, undefined, { ref: false })]);
    if (findLive(userId, id)?.state === "queued") return viewOfQueued(id);
  }
  const sandbox = await (await sandboxes()).open(userId);
  const patience = listener ?? { waitMs: Math.max(0, deadline - performance.now()) };
  const result = await sandbox.attach(id, { ...patience, keep: true }).catch(nothingIfUnknown);
  if (result) return withHarvest(anyViewOf(result), await harvestFollowed(userId, sandbox, result));
  // Its sandbox doesn't know it: it ended meanwhile, or is about to begin.
  return viewOnRecord(userId, await requireExecution(userId, id));
}

export async function stopExecution(userId: string, id: string): Promise<FollowedView> {
  const row = await requireExecution(userId, id);
  if (row.finishedAt) return viewOnRecord(userId, row);
  if (stopLongCall(id)) return checkExecution(userId, id, STOP_PATIENCE_MS);
  const live = findLive(userId, id);
  if (live) {
    live.stop();
    await Promise.race([live.ended, sleep(STOP_PATIENCE_MS, undefined, { ref: false })]);
  } else {
    const sandbox = await (await sandboxes()).open(userId);
    await sandbox.stop(id).catch(nothingIfUnknown);
  }
  return checkExecution(userId, id, STOP_PATIENCE_MS);
}

/** Sees a run to its end and records it, however often its sandbox can't be reached meanwhile. Says how it ended. */
export async function keepFollowing(userId: string, id: string): Promise<string> {
  for (let wait = RETRY_MS; ; wait = Math.min(LONGEST_RETRY_MS, wait * 2)) {
    try {
      return await followToEnd(userId, id);
    } catch (err) {
      log().warn({ err, executionId: id }, "a run is out of sight; it is looked for again");
      await sleep(wait, undefined, { ref: false });
    }
  }
}

/** A run that nobody knows any more was interrupted. */
async function followToEnd(userId: string, id: string): Promise<string> {
  const sandbox = await (await sandboxes()).open(userId);
  const result = await sandbox.attach(id, { keep: true }).catch(nothingIfUnknown);
  const end = result
    ? endOf(result, withHarvest(anyViewOf(result), await harvestFollowed(userId, sandbox, result)))
    : { status: "interrupted" };
  await recordEnd(id, end, result && sandbox);
  await noticeOwnSkills(userId, sandbox);
  return end.status;
}

async function viewOnRecord(userId: string, found: ExecutionRow): Promise<FollowedView> {
  const row = await withOutput(found);
  const answered = agentPartOf(row);
  if (!answered) return { ...viewOfRow(row), artifacts: await executionArtifacts(userId, row.id) };
  // The agent's artifacts are those of the runs it made.
  return { ...viewOfRow(row), ...answered, artifacts: await linkedAnew(userId, answered.artifacts) };
}

async function requireExecution(userId: string, id: string) {
  const row = await findExecution(db(), userId, id);
  if (!row) throw new AppError("not_found", "This execution is no longer on record, or never was.");
  return row;
}

function nothingIfUnknown(error: unknown): RunResult | undefined {
  if (isSandboxError(error) && error.code === "execution_not_found") return undefined;
  throw fromSandbox(error);
}
