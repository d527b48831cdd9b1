import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import type { Database } from "../client.ts";
import { preparedOnce } from "../prepared-once.ts";
import { executionDays, executions, historySizes } from "../schema.ts";
import { dayOf } from "./history-columns.ts";
import { bareRunBytes, runBytes } from "./history-size.ts";
import { UNFLUSHED } from "./unflushed.ts";

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
  | "outputBlob"
  | "outputBlobBytes"
  | "removedBytes"
  | "truncated"
  | "durationMs"
  | "cpuMs"
  | "memoryBytes"
  | "session"
  | "restarted"
  | "results"
  | "deniedHosts"
  | "artifactsSkipped"
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
  const inserted = await insertion(db).execute({ ...NOTHING_MORE, ...execution, words });
  return inserted.length > 0;
}

const NOTHING_MORE = {
  sandboxId: null,
  conversationId: null,
  idempotencyKey: null,
  requestHash: null,
  summary: "",
};

/** Every run begins with this, so it is prepared once. */
const insertion = preparedOnce((db) =>
  db
    .insert(executions)
    .values({
      id: sql.placeholder("id"),
      userId: sql.placeholder("userId"),
      door: sql.placeholder("door"),
      tool: sql.placeholder("tool"),
      arguments: sql.placeholder("arguments"),
      summary: sql.placeholder("summary"),
      words: sql`array_to_tsvector(${sql.placeholder("words")}::text[])`,
      status: sql.placeholder("status"),
      sandboxId: sql.placeholder("sandboxId"),
      conversationId: sql.placeholder("conversationId"),
      idempotencyKey: sql.placeholder("idempotencyKey"),
      requestHash: sql.placeholder("requestHash"),
    })
    .onConflictDoNothing({ target: [executions.userId, executions.idempotencyKey] })
    .returning({ id: executions.id })
    .prepare("insert_execution"),
);

export async function startExecution(db: Database, id: string, sandboxId: string): Promise<void> {
  await db
    .update(executions)
    .set({ status: "running", sandboxId })
    .where(and(eq(executions.id, id), isNull(executions.finishedAt)));
}

/**
 * Written once: a run that has an end keeps it. Its day and its user's size count it with the same statement, so that none
 * is missed; what that size is now is the answer, nothing if there was an end already. The commit is seen by everybody at once
 * and doesn't wait for the disk: until it has got there, the sandbox remembers the run.
 */
export async function finishExecution(
  db: Database,
  id: string,
  { words = [], ...end }: FinishedExecution,
): Promise<{ userId: string; bytes: number } | undefined> {
  const values = { id, ...UNKNOWN, ...end, words, freed: end.idempotencyKey === null };
  const [size] = await finishing(db).execute(values);
  return size;
}

const UNKNOWN = {
  exitCode: null,
  stdout: null,
  stderr: null,
  truncated: false,
  durationMs: null,
  cpuMs: null,
  memoryBytes: null,
  session: null,
  restarted: null,
  results: null,
  deniedHosts: null,
  result: null,
  artifactsSkipped: null,
  outputBlob: null,
  outputBlobBytes: null,
  removedBytes: null,
};

/** Every run ends with this, so it is prepared once. */
const finishing = preparedOnce((db) => {
  const placeholder = (name: string) => sql`${sql.placeholder(name)}`;
  const finished = db.$with("finished").as(
    db
      .update(executions)
      .set({
        status: placeholder("status"),
        exitCode: placeholder("exitCode"),
        stdout: placeholder("stdout"),
        stderr: placeholder("stderr"),
        outputBlob: placeholder("outputBlob"),
        outputBlobBytes: placeholder("outputBlobBytes"),
        removedBytes: placeholder("removedBytes"),
        truncated: placeholder("truncated"),
        durationMs: placeholder("durationMs"),
        cpuMs: placeholder("cpuMs"),
        memoryBytes: placeholder("memoryBytes"),
        session: placeholder("session"),
        restarted: placeholder("restarted"),
        results: placeholder("results"),
        deniedHosts: placeholder("deniedHosts"),
        artifactsSkipped: placeholder("artifactsSkipped"),
        result: placeholder("result"),
        idempotencyKey: sql`case when ${placeholder("freed")}::boolean then null else ${executions.idempotencyKey} end`,
        words: sql`${executions.words} || array_to_tsvector(${placeholder("words")}::text[])`,
        finishedAt: sql`now()`,
      })
      .where(and(eq(executions.id, placeholder("id")), isNull(executions.finishedAt)))
      .returning({
        id: executions.id,
        userId: executions.userId,
        day: dayOf(executions.createdAt).as("day"),
        door: executions.door,
        tool: executions.tool,
        status: executions.status,
        runs: sql<number>`1`.as("runs"),
        usedMs: sql<number>`coalesce(${executions.durationMs}, 0)`.as("used_ms"),
        usedCpuMs: sql<number>`coalesce(${executions.cpuMs}, 0)`.as("used_cpu_ms"),
        bytes: runBytes.as("bytes"),
        bareBytes: bareRunBytes.as("bare_bytes"),
      }),
  );
  // Before the day: whoever deletes runs locks the two in this order.
  const sized = db.$with("sized").as(
    db
      .insert(historySizes)
      .select(
        db
          .select({
            userId: finished.userId,
            bytes: finished.bytes,
            bareBytes: finished.bareBytes,
            fullFrom: finished.id,
          })
          .from(finished),
      )
      .onConflictDoUpdate({
        target: historySizes.userId,
        set: {
          bytes: sql`${historySizes.bytes} + excluded.bytes`,
          bareBytes: sql`${historySizes.bareBytes} + excluded.bare_bytes`,
          // It may have begun before runs that have lost their output meanwhile.
          fullFrom: sql`least(${historySizes.fullFrom}, excluded.full_from)`,
        },
      })
      .returning({ userId: historySizes.userId, bytes: historySizes.bytes }),
  );
  const { userId, day, door, tool, status, runs, usedRuns, usedMs, usedCpuMs } = executionDays;
  const counted = db.$with("counted").as(
    db
      .insert(executionDays)
      .select(
        db
          .select({
            userId: finished.userId,
            day: finished.day,
            door: finished.door,
            tool: finished.tool,
            status: finished.status,
            runs: finished.runs,
            usedRuns: sql<number>`1`.as("used_runs"),
            usedMs: finished.usedMs,
            usedCpuMs: finished.usedCpuMs,
          })
          .from(finished),
      )
      .onConflictDoUpdate({
        target: [userId, day, door, tool, status],
        set: {
          runs: sql`${runs} + 1`,
          usedRuns: sql`${usedRuns} + 1`,
          usedMs: sql`${usedMs} + excluded.used_ms`,
          usedCpuMs: sql`${usedCpuMs} + excluded.used_cpu_ms`,
        },
      })
      .returning({ day: executionDays.day }),
  );
  const unflushed = db.$with("unflushed", { setting: sql`setting` }).as(UNFLUSHED);
  return db
    .with(finished, sized, counted, unflushed)
    .select({ userId: sized.userId, bytes: sized.bytes })
    .from(sized)
    .crossJoin(unflushed)
    .prepare("finish_execution");
});

const columns = {
  id: executions.id,
  status: executions.status,
  exitCode: executions.exitCode,
  stdout: executions.stdout,
  stderr: executions.stderr,
  outputBlob: executions.outputBlob,
  removedBytes: executions.removedBytes,
  truncated: executions.truncated,
  durationMs: executions.durationMs,
  session: executions.session,
  restarted: executions.restarted,
  results: executions.results,
  deniedHosts: executions.deniedHosts,
  artifactsSkipped: executions.artifactsSkipped,
  result: executions.result,
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
    .select({
      id: executions.id,
      result: executions.result,
      outputBlob: executions.outputBlob,
      removedBytes: executions.removedBytes,
      requestHash: executions.requestHash,
    })
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

/** Those of them that have no end. */
export async function listUnfinishedAmong(db: Database, ids: string[]): Promise<string[]> {
  const rows = await db
    .select({ id: executions.id })
    .from(executions)
    .where(and(inArray(executions.id, ids), isNull(executions.finishedAt)));
  return rows.map(({ id }) => id);
}
