import { and, eq, isNull, sql } from "drizzle-orm";
import type { Database } from "../client.ts";
import { executionDays, executions } from "../schema.ts";
import { dayOf, wordVector } from "./history-columns.ts";

export type NewExecution = Pick<
  typeof executions.$inferInsert,
  | "id"
  | "userId"
  | "door"
  | "tool"
  | "arguments"
  | "status"
  | "sandboxId"
  | "conversationId"
  | "idempotencyKey"
  | "requestHash"
  | "summary"
> & { id: string; words?: string[] };

export type FinishedExecution = Pick<
  typeof executions.$inferInsert,
  | "status"
  | "exitCode"
  | "stdout"
  | "stderr"
  | "truncated"
  | "durationMs"
  | "cpuMs"
  | "memoryBytes"
  | "session"
  | "restarted"
  | "results"
  | "deniedHosts"
  | "result"
  | "idempotencyKey"
> & {
  /** Of the output, to search by; those of the code are there already. */
  words?: string[];
};

export type ExecutionRow = NonNullable<Awaited<ReturnType<typeof findExecution>>>;

/** False when the user has used this idempotency key already. */
export async function insertExecution(
  db: Database,
  { words = [], ...execution }: NewExecution,
): Promise<boolean> {
  const inserted = await db
    .insert(executions)
    .values({ ...execution, words: wordVector(words) })
    .onConflictDoNothing({ target: [executions.userId, executions.idempotencyKey] })
    .returning({ id: executions.id });
  return inserted.length > 0;
}

export async function startExecution(db: Database, id: string, sandboxId: string): Promise<void> {
  await db
    .update(executions)
    .set({ status: "running", sandboxId })
    .where(and(eq(executions.id, id), isNull(executions.finishedAt)));
}

/**
 * Written once: a run that has an end keeps it. Its day counts it with the same statement, so that none is missed. The
 * commit is seen by everybody at once and doesn't wait for the disk: until it has got there, the sandbox remembers the run.
 */
export async function finishExecution(
  db: Database,
  id: string,
  { words = [], ...end }: FinishedExecution,
): Promise<void> {
  const finish = db
    .update(executions)
    .set({
      ...end,
      ...(words.length > 0 && { words: sql`${executions.words} || ${wordVector(words)}` }),
      finishedAt: sql`now()`,
    })
    .where(
      and(
        eq(executions.id, id),
        isNull(executions.finishedAt),
        sql`set_config('synchronous_commit', 'off', true) = 'off'`,
      ),
    )
    .returning({
      userId: executions.userId,
      day: dayOf(executions.createdAt),
      door: executions.door,
      tool: executions.tool,
      status: executions.status,
    });
  await db.execute(sql`
    with finished (user_id, day, door, tool, status) as ${finish}
    insert into ${executionDays} (user_id, day, door, tool, status, runs)
    select user_id, day, door, tool, status, 1 from finished
    on conflict (user_id, day, door, tool, status) do update set runs = execution_days.runs + 1`);
}

const columns = {
  id: executions.id,
  status: executions.status,
  exitCode: executions.exitCode,
  stdout: executions.stdout,
  stderr: executions.stderr,
  truncated: executions.truncated,
  durationMs: executions.durationMs,
  session: executions.session,
  restarted: executions.restarted,
  results: executions.results,
  deniedHosts: executions.deniedHosts,
  finishedAt: executions.finishedAt,
};

export async function findExecution(db: Database, userId: string, id: string) {
  const [row] = await db
    .select(columns)
    .from(executions)
    .where(and(eq(executions.id, id), eq(executions.userId, userId)));
  return row;
}

export async function findExecutionByKey(db: Database, userId: string, idempotencyKey: string) {
  const [row] = await db
    .select({ id: executions.id, result: executions.result, requestHash: executions.requestHash })
    .from(executions)
    .where(and(eq(executions.userId, userId), eq(executions.idempotencyKey, idempotencyKey)));
  return row;
}

export async function listUnfinishedExecutions(db: Database) {
  return db
    .select({ id: executions.id, userId: executions.userId, status: executions.status })
    .from(executions)
    .where(isNull(executions.finishedAt));
}
