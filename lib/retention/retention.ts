// What the operator doesn't want to keep for ever is removed for good, once an hour. `planRetention` says what would go.
import * as queries from "#db/queries/retention.ts";
import { env } from "#env.ts";
import { deleteArtifacts } from "../artifacts/delete-artifacts.ts";
import { SERVER, writeAudit } from "../audit.ts";
import { sweepThese } from "../blobs/sweep-blobs.ts";
import { db } from "../database.ts";
import { log } from "../log.ts";
import { destroySandbox } from "../own-sandbox/destroy-sandbox.ts";

export interface Removal {
  runs: number;
  artifacts: number;
  workspaces: string[];
}

const EVERY_MS = 3_600_000;
const DAY_MS = 24 * EVERY_MS;
// Small enough that nobody else waits for one of these statements.
const BATCH = 500;

/** For how many days; what isn't named is kept. */
export interface Keep {
  runs?: number;
  artifacts?: number;
  workspaces?: number;
}

/** Nothing is touched. */
export async function planRetention(
  keep = wanted(),
  now = Date.now(),
): Promise<Removal & { artifactBytes: number }> {
  const { runs, artifacts, workspaces } = borders(keep, now);
  const old = artifacts && (await queries.countArtifactsBefore(db(), artifacts));
  return {
    runs: runs ? await queries.countRunsBefore(db(), runs) : 0,
    artifacts: old?.n ?? 0,
    artifactBytes: old?.bytes ?? 0,
    workspaces: (workspaces ? await queries.listWorkspacesBefore(db(), workspaces) : []).map(
      ({ email }) => email,
    ),
  };
}

export async function applyRetention(
  keep = wanted(),
  now = Date.now(),
  destroy: (userId: string) => Promise<void> = destroySandbox,
): Promise<Removal> {
  const { runs, artifacts, workspaces } = borders(keep, now);
  const removed: Removal = {
    runs: runs ? await inBatches(() => removeRuns(runs)) : 0,
    artifacts: artifacts ? await inBatches(() => removeArtifacts(artifacts)) : 0,
    workspaces: workspaces ? await removeWorkspaces(workspaces, destroy) : [],
  };
  const parts = [
    removed.runs && `${removed.runs} runs`,
    removed.artifacts && `${removed.artifacts} artifacts`,
    removed.workspaces.length && `workspaces of ${removed.workspaces.join(", ")}`,
  ].filter(Boolean);
  if (parts.length > 0) await writeAudit(SERVER, "retention.applied", { name: parts.join("; ") });
  return removed;
}

/** Once an hour, if there is anything to keep to. */
export function keepRetention(): void {
  if (Object.values(wanted()).every((days) => days === undefined)) return;
  const apply = () =>
    void applyRetention().catch((err) => log().warn({ err }, "retention stopped, the next hour tries again"));
  setTimeout(apply, 60_000).unref();
  setInterval(apply, EVERY_MS).unref();
}

function wanted(): Keep {
  const { COVE_KEEP_RUNS, COVE_KEEP_ARTIFACTS, COVE_KEEP_WORKSPACES } = env();
  return { runs: COVE_KEEP_RUNS, artifacts: COVE_KEEP_ARTIFACTS, workspaces: COVE_KEEP_WORKSPACES };
}

function borders({ runs, artifacts, workspaces }: Keep, now: number) {
  const before = (days?: number) => (days === undefined ? undefined : new Date(now - days * DAY_MS));
  return { runs: before(runs), artifacts: before(artifacts), workspaces: before(workspaces) };
}

async function inBatches(remove: () => Promise<number>): Promise<number> {
  for (let total = 0; ; ) {
    const removed = await remove();
    total += removed;
    if (removed === 0) return total;
  }
}

async function removeRuns(before: Date): Promise<number> {
  const old = await queries.listRunsBefore(db(), before, BATCH);
  let removed = 0;
  for (const [userId, rows] of Map.groupBy(old, (row) => row.userId)) {
    const ids = rows.map(({ id }) => id);
    const gone = await queries.deleteOldRuns(db(), userId, ids);
    await sweepThese(gone.flatMap(({ blob }) => blob ?? []));
    removed += gone.length;
  }
  return removed;
}

async function removeArtifacts(before: Date): Promise<number> {
  const old = await queries.listArtifactsBefore(db(), before, BATCH);
  let removed = 0;
  for (const [userId, rows] of Map.groupBy(old, (row) => row.userId)) {
    const ids = rows.map(({ id }) => id);
    removed += await deleteArtifacts(userId, ids, { onlyThese: true });
  }
  return removed;
}

/** One that can't be removed now is tried again with the next pass. */
async function removeWorkspaces(before: Date, destroy: (userId: string) => Promise<void>): Promise<string[]> {
  const gone: string[] = [];
  for (const { userId, email } of await queries.listWorkspacesBefore(db(), before)) {
    await destroy(userId).then(
      () => gone.push(email),
      (err) => log().warn({ err, userId }, "a workspace could not be removed yet"),
    );
  }
  return gone;
}
