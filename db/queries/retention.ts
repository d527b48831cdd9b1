// What is older than the operator wants to keep. Ids are UUIDv7, so age is their order and the primary key finds the oldest.
import { and, count, eq, inArray, isNotNull, lt, sql } from "drizzle-orm";
import { v7 } from "uuid";
import type { Database } from "../client.ts";
import { artifacts, consoleRuns, executions, sandboxes, users } from "../schema.ts";
import { deleteFinished } from "./history-size.ts";

export async function countRunsBefore(db: Database, time: Date): Promise<number> {
  const [row] = await db.select({ n: count() }).from(executions).where(oldRuns(time));
  return row?.n ?? 0;
}

export async function listRunsBefore(db: Database, time: Date, most: number) {
  return db
    .select({ id: executions.id, userId: executions.userId })
    .from(executions)
    .where(oldRuns(time))
    .orderBy(executions.id)
    .limit(most);
}

/** What users used is not forgotten with them, and neither are their counts by day. Resolves to the blobs they had. */
export async function deleteOldRuns(db: Database, userId: string, ids: string[]) {
  return db.transaction(async (tx) => {
    const gone = await deleteFinished(tx as Database, userId, inArray(executions.id, ids));
    await tx.delete(consoleRuns).where(inArray(consoleRuns.executionId, ids));
    return gone;
  });
}

export async function countArtifactsBefore(db: Database, time: Date): Promise<{ n: number; bytes: number }> {
  const [row] = await db
    .select({ n: count(), bytes: sql<string>`coalesce(sum(${artifacts.size}), 0)` })
    .from(artifacts)
    .where(lt(artifacts.id, firstIdAt(time)));
  return { n: row?.n ?? 0, bytes: Number(row?.bytes ?? 0) };
}

export async function listArtifactsBefore(db: Database, time: Date, most: number) {
  return db
    .select({ id: artifacts.id, userId: artifacts.userId })
    .from(artifacts)
    .where(lt(artifacts.id, firstIdAt(time)))
    .orderBy(artifacts.id)
    .limit(most);
}

/** Workspaces that nobody has used since. */
export async function listWorkspacesBefore(db: Database, time: Date) {
  return db
    .select({ userId: users.id, email: users.email, lastUsedAt: sandboxes.lastUsedAt })
    .from(sandboxes)
    .innerJoin(users, eq(users.id, sandboxes.userId))
    .where(lt(sandboxes.lastUsedAt, time))
    .orderBy(sandboxes.lastUsedAt);
}

export async function touchSandbox(db: Database, userId: string): Promise<void> {
  await db.update(sandboxes).set({ lastUsedAt: sql`now()` }).where(eq(sandboxes.userId, userId));
}

function oldRuns(time: Date) {
  return and(lt(executions.id, firstIdAt(time)), isNotNull(executions.finishedAt));
}

/** The smallest id that could have been made then. */
function firstIdAt(time: Date): string {
  return v7({ msecs: time.getTime(), seq: 0, random: new Uint8Array(16) });
}
