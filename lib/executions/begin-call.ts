// The row of a call, written before anything runs: if that fails, nothing runs.
import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { findExecutionByKey, insertExecution } from "#db/queries/executions.ts";
import { describeExecution } from "#mcp/tools/execution-view.ts";
import { picturesOf } from "#mcp/tools/pictures-of.ts";
import { AppError } from "../app-error.ts";
import { artifactsForTools } from "../artifacts/artifacts-for-tools.ts";
import { linkedAnew } from "../artifacts/show-harvest.ts";
import { db } from "../database.ts";
import { requireHostRoom } from "../host-room.ts";
import { readySandbox } from "../sandboxes/sandboxes.ts";
import { checkExecution } from "./follow.ts";
import { findLive, type LiveCall } from "./live-calls.ts";
import { searchableCall } from "./searchable.ts";
import { withOutput } from "./stored-output.ts";
import { type ToolCall, type ToolResult, toResult, type Work } from "./tool-call.ts";

const KEY = /^[\x21-\x7e]{1,255}$/;
const PATIENCE_MS = 45_000;

export type Begun = { status: "queued" | "running" } | { earlier: ToolResult };

/** With a key that was used before: the earlier result, and nothing is to be run. */
export async function beginCall(work: Work, input: unknown, live: LiveCall, call: ToolCall): Promise<Begun> {
  const { userId, door, name, conversationId, idempotencyKey } = call;
  if (idempotencyKey !== undefined && !KEY.test(idempotencyKey)) {
    throw new AppError("bad_request", "An idempotency key has up to 255 visible ASCII characters.");
  }
  await requireHostRoom();
  const known = knownArguments(call.arguments, input);
  const given = JSON.stringify(known);
  const requestHash = idempotencyKey === undefined ? undefined : hashOf(name, given);
  const sandbox = await readySandbox(userId);
  const status = sandbox && !(work.needsPlace && sandbox.wouldWait) ? "running" : "queued";
  const inserted = await insertExecution(db(), {
    ...{ id: live.id, userId, door, tool: name, arguments: given, status },
    ...{ sandboxId: sandbox?.id, conversationId, idempotencyKey, requestHash },
    ...searchableCall(name, known),
  });
  if (inserted) return { status };

  const earlier = idempotencyKey && (await earlierResult(live, idempotencyKey, requestHash));
  // Or it was refused, and its key freed, in this very moment.
  return earlier ? { earlier } : beginCall(work, input, live, call);
}

/** As they were given, without what the tool doesn't know: that was never looked at, and may be anything. */
function knownArguments(given: unknown, input: unknown): Record<string, unknown> {
  const names = new Set(Object.keys(input as object));
  return Object.fromEntries(Object.entries(given ?? {}).filter(([name]) => names.has(name)));
}

async function earlierResult(
  { userId, leftMs }: LiveCall,
  key: string,
  requestHash: Buffer | undefined,
): Promise<ToolResult | undefined> {
  const first = await findExecutionByKey(db(), userId, key);
  if (!first) return undefined;
  if (!requestHash || !first.requestHash?.equals(requestHash)) {
    throw new AppError("conflict", "This idempotency key was used for another request.");
  }
  const waitMs = leftMs() ?? PATIENCE_MS;
  const ended = findLive(userId, first.id)?.ended;
  if (ended) await Promise.race([ended, sleep(waitMs, undefined, { ref: false })]);
  const found = ended ? await findExecutionByKey(db(), userId, key) : first;
  if (!found) return undefined;
  const now = await withOutput(found);
  const artifacts = artifactsForTools(userId);
  if (now.result) {
    const result = await withFreshLinks(userId, JSON.parse(now.result));
    return { ...result, images: await picturesOf(result.structured, artifacts) };
  }
  const view = await checkExecution(userId, now.id, ended ? 0 : waitMs);
  const images = await picturesOf(view, artifacts);
  return toResult({ structured: view, text: describeExecution(view), images });
}

/** What is kept opens nothing; whoever asks again gets links of this moment. */
async function withFreshLinks(userId: string, result: ToolResult): Promise<ToolResult> {
  const { artifacts } = result.structured as { artifacts?: { id: string }[] };
  if (!artifacts) return result;
  const structured = { ...result.structured, artifacts: await linkedAnew(userId, artifacts) };
  return { ...result, structured };
}

function hashOf(name: string, given: string): Buffer {
  return createHash("sha256")
    .update(JSON.stringify([name, given]))
    .digest();
}
