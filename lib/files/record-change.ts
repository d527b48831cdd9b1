// Changes made by hand in the web are on record like any run, so that history says who changed a file: a person or code.
import { v7 } from "uuid";
import { insertExecution, startExecution } from "#db/queries/executions.ts";
import type { SandboxFiles } from "#sandbox/index.ts";
import { db } from "../database.ts";
import { limitRate } from "../executions/rate-limit.ts";
import { recordEnd } from "../executions/record.ts";
import { fromSandbox } from "../executions/sandbox-problem.ts";
import { searchableCall } from "../history/searchable.ts";
import { requireHostRoom } from "../host-room.ts";
import { sandboxes } from "../sandboxes/sandboxes.ts";
import { noticeOwnSkills } from "../skills/notice-own-skills.ts";

export const CHANGES = [
  "upload_file",
  "save_file",
  "make_folder",
  "move_file",
  "delete_files",
  "save_skill",
  "delete_skill",
] as const;

export interface Change {
  userId: string;
  name: (typeof CHANGES)[number];
  arguments: Record<string, unknown>;
  signal?: AbortSignal;
}

export async function recordChange<T>(
  change: Change,
  work: (files: SandboxFiles) => Promise<{ result: T; said: string }>,
): Promise<T> {
  const { userId, name, signal } = change;
  limitRate(userId);
  await requireHostRoom();
  const id = v7();
  await insertExecution(db(), {
    ...{ id, userId, door: "web", tool: name, status: "queued" },
    arguments: JSON.stringify(change.arguments),
    ...searchableCall(name, change.arguments),
  });
  const started = performance.now();
  const end = (status: string, output: object) =>
    recordEnd(id, { status, durationMs: Math.round(performance.now() - started), ...output });
  try {
    const sandbox = await (await sandboxes()).open(userId);
    await startExecution(db(), id, sandbox.id);
    const { result, said } = await work(sandbox.files);
    await noticeOwnSkills(userId, sandbox);
    await end("completed", { stdout: Buffer.from(said) });
    return result;
  } catch (thrown) {
    const error = fromSandbox(thrown);
    const message = error instanceof Error ? error.message : String(error);
    await end(signal?.aborted ? "cancelled" : "failed", { stderr: Buffer.from(message) });
    throw error;
  }
}
