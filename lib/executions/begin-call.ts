// The row of a call, written before anything runs: if that fails, nothing runs.
import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { findExecutionByKey, insertExecution } from "#db/queries/executions.ts";
import { describeExecution } from "#mcp/tools/execution-view.ts";
import { AppError } from "../app-error.ts";
import { db } from "../database.ts";
import { searchableCall } from "../history/searchable.ts";
import { readySandbox } from "../sandboxes/sandboxes.ts";
import { checkExecution } from "./follow.ts";
import { findLive } from "./live-calls.ts";
import type { ToolCall, ToolResult } from "./tool-call.ts";
import { toResult } from "./tool-result.ts";

const KEY = /^[\x21-\x7e]{1,255}$/;
const PATIENCE_MS = 45_000;

export type Begun = { status: "queued" | "running" } | { earlier: ToolResult };

/** With a key that was used before: the earlier result, and nothing is to be run. */
export async function beginCall(id: string, call: ToolCall): Promise<Begun> {
  const { userId, door, name, conversationId, idempotencyKey } = call;
  if (idempotencyKey !== undefined && !KEY.test(idempotencyKey)) {
    throw new AppError("bad_request", "An idempotency key has up to 255 visible ASCII characters.");
  }
  const given = JSON.stringify(call.arguments ?? {});
  const requestHash = idempotencyKey === undefined ? undefined : hashOf(name, given);
  const sandbox = await readySandbox(userId);
  const status = sandbox && !sandbox.wouldWait ? "running" : "queued";
  const inserted = await insertExecution(db(), {
    ...{ id, userId, door, tool: name, arguments: given, status },
    ...{ sandboxId: sandbox?.id, conversationId, idempotencyKey, requestHash },
    ...searchableCall(name, call.arguments),
  });
  if (inserted) return { status };

  const earlier = idempotencyKey && (await earlierResult(call, idempotencyKey, requestHash));
  // Or it was refused, and its key freed, in this very moment.
  return earlier ? { earlier } : beginCall(id, call);
}

async function earlierResult(
  { userId, waitMs = PATIENCE_MS }: ToolCall,
  key: string,
  requestHash: Buffer | undefined,
): Promise<ToolResult | undefined> {
  const first = await findExecutionByKey(db(), userId, key);
  if (!first) return undefined;
  if (!requestHash || !first.requestHash?.equals(requestHash)) {
    throw new AppError("conflict", "This idempotency key was used for another request.");
  }
  const ended = findLive(userId, first.id)?.ended;
  if (ended) await Promise.race([ended, sleep(waitMs, undefined, { ref: false })]);
  const now = ended ? await findExecutionByKey(db(), userId, key) : first;
  if (!now) return undefined;
  if (now.result) return JSON.parse(now.result);
  const view = await checkExecution(userId, now.id, ended ? 0 : waitMs);
  return toResult({ structured: view, text: describeExecution(view) });
}

function hashOf(name: string, given: string): Buffer {
  return createHash("sha256")
    .update(JSON.stringify([name, given]))
    .digest();
}
