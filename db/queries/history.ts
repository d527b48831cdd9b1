// A user's runs as the history shows them: in lists without what is large, one by one with all of it.
import { and, count, desc, eq, inArray, isNull, sql } from "drizzle-orm";
import type { Database } from "../client.ts";
import { conversations, executionDays, executions } from "../schema.ts";
import { dayOf } from "./history-columns.ts";
import { deleteFinished } from "./history-size.ts";

const listed = {
  id: executions.id,
  door: executions.door,
  tool: executions.tool,
  status: executions.status,
  summary: executions.summary,
  exitCode: executions.exitCode,
  durationMs: executions.durationMs,
  session: executions.session,
  removedBytes: executions.removedBytes,
  createdAt: executions.createdAt,
};

const detailed = {
  ...listed,
  arguments: executions.arguments,
  stdout: executions.stdout,
  stderr: executions.stderr,
  outputBlob: executions.outputBlob,
  truncated: executions.truncated,
  results: executions.results,
  deniedHosts: executions.deniedHosts,
  artifactsSkipped: executions.artifactsSkipped,
  cpuMs: executions.cpuMs,
  memoryBytes: executions.memoryBytes,
  sandboxId: executions.sandboxId,
  conversationId: executions.conversationId,
  conversationTitle: conversations.title,
  finishedAt: executions.finishedAt,
};

export async function listRuns(db: Database, userId: string, ids: string[]) {
  if (ids.length === 0) return [];
  return db
    .select(listed)
    .from(executions)
    .where(and(inArray(executions.id, ids), eq(executions.userId, userId)))
    .orderBy(desc(executions.id));
}

/** What runs or waits now, newest first. */
export async function listLiveRuns(db: Database, userId: string, most: number) {
  return db
    .select(listed)
    .from(executions)
    .where(and(eq(executions.userId, userId), isNull(executions.finishedAt)))
    .orderBy(desc(executions.id))
    .limit(most);
}

export async function findRun(db: Database, userId: string, id: string) {
  const [row] = await db
    .select(detailed)
    .from(executions)
    .leftJoin(conversations, eq(conversations.id, executions.conversationId))
    .where(and(eq(executions.id, id), eq(executions.userId, userId)));
  return row;
}

/** What was asked for, in the order it was run; for exports. */
export async function listCalls(db: Database, userId: string, ids: string[]) {
  return db
    .select({
      id: executions.id,
      tool: executions.tool,
      arguments: executions.arguments,
      status: executions.status,
      createdAt: executions.createdAt,
    })
    .from(executions)
    .where(and(inArray(executions.id, ids), eq(executions.userId, userId)))
    .orderBy(executions.id);
}

/** Those that have ended; their days count them no more. Resolves to what they were, with the blobs they had. */
export async function deleteRuns(
  db: Database,
  userId: string,
  ids: string[],
): Promise<{ id: string; blob: Buffer | null }[]> {
  return db.transaction(async (tx) => {
    const deleted = await deleteFinished(tx as Database, userId, inArray(executions.id, ids));
    const gone = deleted.map(({ createdAt, door, tool, status }) => ({ createdAt, door, tool, status }));
    await tx.execute(sql`
      update ${executionDays} as days set runs = days.runs - gone.n
      from (
        select ${dayOf(sql`"createdAt"`)} as day, door, tool, status, count(*)::int as n
        from json_to_recordset(${JSON.stringify(gone)}::json)
          as given ("createdAt" timestamptz, door text, tool text, status text)
        group by 1, 2, 3, 4
      ) as gone
      where days.user_id = ${userId} and days.day = gone.day and days.door = gone.door
        and days.tool = gone.tool and days.status = gone.status`);
    return deleted;
  });
}

export async function listConversationNames(db: Database, userId: string, most: number) {
  return db
    .select({ id: conversations.id, title: conversations.title })
    .from(conversations)
    .where(and(eq(conversations.userId, userId), isNull(conversations.deletedAt)))
    .orderBy(desc(conversations.updatedAt))
    .limit(most);
}

/** The user's latest run and how many aren't over: two looks into indexes. */
export async function findPulse(db: Database, userId: string) {
  const [[last], [open]] = await Promise.all([
    db
      .select({ id: executions.id })
      .from(executions)
      .where(eq(executions.userId, userId))
      .orderBy(desc(executions.id))
      .limit(1),
    db
      .select({ count: count() })
      .from(executions)
      .where(and(eq(executions.userId, userId), isNull(executions.finishedAt))),
  ]);
  return { latest: last?.id, unfinished: open?.count ?? 0 };
}
