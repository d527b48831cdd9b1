// What a user's history takes, and making room in it: the oldest output goes first, the rows stay; once rows without output
// take half of the room, the oldest of them go. Whoever changes finished runs locks the user's row here first, so that
// nobody waits for somebody who waits for them.
import { and, eq, inArray, isNotNull, type SQL, sql } from "drizzle-orm";
import type { Database } from "../client.ts";
import { consoleRuns, executions, historySizes } from "../schema.ts";

/** A row with its entries in the indexes. */
const ROW_BYTES = 1024;
// What stays of a run whose output is removed, if it is no larger: code that is run again, words to search by.
const SMALL_CALL_BYTES = 4096;
const SMALL_WORDS_BYTES = 2048;
const BATCH = 500;

/** Everything of a run that code and callers decide the size of. Words count for the row and for their index. */
export const runBytes: SQL<number> = sql<number>`(${sql.raw(String(ROW_BYTES))} + octet_length(${executions.arguments})
  + coalesce(octet_length(${executions.stdout}), 0) + coalesce(octet_length(${executions.stderr}), 0)
  + coalesce(octet_length(${executions.results}), 0) + coalesce(octet_length(${executions.result}), 0)
  + coalesce(octet_length(${executions.deniedHosts}), 0) + coalesce(octet_length(${executions.artifactsSkipped}), 0)
  + 2 * octet_length(${executions.words}::text) + coalesce(${executions.outputBlobBytes}, 0))`;

/** The same of a run whose output was removed; nothing of any other. */
export const bareRunBytes: SQL<number> = sql<number>`case when ${executions.removedBytes} is null then 0 else ${runBytes} end`;

export interface HistorySize {
  bytes: number;
  bareBytes: number;
  fullFrom: string;
}

export async function findHistorySize(db: Database, userId: string): Promise<HistorySize | undefined> {
  const [row] = await db.select(sizeColumns).from(historySizes).where(eq(historySizes.userId, userId));
  return row;
}

/** Who has more than that. */
export async function listLargeHistories(db: Database, mostBytes: number): Promise<string[]> {
  const rows = await db
    .select({ userId: historySizes.userId })
    .from(historySizes)
    .where(sql`${historySizes.bytes} > ${mostBytes}`);
  return rows.map(({ userId }) => userId);
}

/** One step of making room; nothing once there is enough. The answer names the blobs that were let go of. */
export async function makeRoom(
  db: Database,
  userId: string,
  mostBytes: number,
): Promise<{ blobs: Buffer[] } | undefined> {
  return db.transaction(async (tx) => {
    const size = await lockHistory(tx as Database, userId);
    // A little more than is needed now: the next run shall find room.
    const excess = (size?.bytes ?? 0) - mostBytes * (15 / 16);
    if (!size || size.bytes <= mostBytes) return undefined;
    const bareExcess = size.bareBytes - mostBytes / 2;
    if (bareExcess > 0) return removeBareRuns(tx as Database, userId, bareExcess + mostBytes / 16);
    const removed = await removeOutput(tx as Database, userId, size.fullFrom, excess);
    return removed ?? removeBareRuns(tx as Database, userId, excess);
  });
}

/** Deletes runs that have ended, and what they took from the user's size. In a transaction that changes nothing before. */
export async function deleteFinished(db: Database, userId: string, which: SQL | undefined) {
  await lockHistory(db, userId);
  const deleted = await db
    .delete(executions)
    .where(and(eq(executions.userId, userId), isNotNull(executions.finishedAt), which))
    .returning({
      id: executions.id,
      createdAt: executions.createdAt,
      door: executions.door,
      tool: executions.tool,
      status: executions.status,
      blob: executions.outputBlob,
      bytes: runBytes,
      bare: sql<boolean>`${executions.removedBytes} is not null`,
    });
  if (deleted.length === 0) return [];
  await shrink(db, userId, {
    bytes: sum(deleted.map(({ bytes }) => bytes)),
    bareBytes: sum(deleted.map(({ bare, bytes }) => (bare ? bytes : 0))),
  });
  return deleted;
}

/** Of the oldest that have some, as many as it takes; nothing if none has any. */
async function removeOutput(db: Database, userId: string, from: string, excess: number) {
  const { rows } = await db.execute<{ id: string; bytes: number; bare: number; blob: Buffer | null }>(sql`
    with oldest as (
      select *, ${runBytes} as bytes,
        case when octet_length(arguments) <= ${SMALL_CALL_BYTES} then arguments else '' end as kept_call,
        case when octet_length(words::text) <= ${SMALL_WORDS_BYTES} then words else '' end as kept_words,
        case when octet_length(denied_hosts) <= ${SMALL_CALL_BYTES} then denied_hosts end as kept_denials
      from ${executions}
      where user_id = ${userId} and id >= ${from}::uuid and finished_at is not null and removed_bytes is null
      order by id limit ${BATCH}
    ),
    measured as (
      select *, ${sql.raw(String(ROW_BYTES))} + octet_length(kept_call) + 2 * octet_length(kept_words::text)
        + coalesce(octet_length(kept_denials), 0) + coalesce(octet_length(artifacts_skipped), 0) as bare
      from oldest
    ),
    chosen as (
      select * from (select *, sum(bytes - bare) over (order by id) - (bytes - bare) as freed_before from measured) as summed
      where freed_before < ${excess}
    )
    update ${executions} as run set stdout = null, stderr = null, results = null, result = null, output_blob = null,
      output_blob_bytes = null, arguments = kept_call, words = kept_words, denied_hosts = kept_denials,
      removed_bytes = bytes - bare
    from chosen where run.id = chosen.id
    returning run.id, bytes, bare, chosen.output_blob as blob`);
  const last = rows
    .map(({ id }) => id)
    .sort()
    .at(-1);
  if (!last) return undefined;
  await shrink(db, userId, {
    bytes: sum(rows.map(({ bytes, bare }) => bytes - bare)),
    bareBytes: -sum(rows.map(({ bare }) => bare)),
    fullFrom: last,
  });
  return { blobs: blobsOf(rows) };
}

/** The oldest, as many as it takes. What users used is not forgotten with them, and neither are their counts by day. */
async function removeBareRuns(db: Database, userId: string, excess: number) {
  const { rows } = await db.execute<{ id: string }>(sql`
    select id from (
      select id, sum(${runBytes}) over (order by id) - ${runBytes} as bytes_before
      from (
        select * from ${executions} where user_id = ${userId} and removed_bytes is not null order by id limit ${BATCH}
      ) as executions
    ) as oldest where bytes_before < ${excess}`);
  if (rows.length === 0) return undefined;
  const ids = rows.map(({ id }) => id);
  const deleted = await deleteFinished(db, userId, inArray(executions.id, ids));
  await db.delete(consoleRuns).where(inArray(consoleRuns.executionId, ids));
  return { blobs: blobsOf(deleted) };
}

async function lockHistory(db: Database, userId: string): Promise<HistorySize | undefined> {
  const [row] = await db
    .select(sizeColumns)
    .from(historySizes)
    .where(eq(historySizes.userId, userId))
    .for("update");
  return row;
}

async function shrink(
  db: Database,
  userId: string,
  by: { bytes: number; bareBytes: number; fullFrom?: string },
): Promise<void> {
  await db
    .update(historySizes)
    .set({
      bytes: sql`${historySizes.bytes} - ${by.bytes}`,
      bareBytes: sql`${historySizes.bareBytes} - ${by.bareBytes}`,
      ...(by.fullFrom && { fullFrom: by.fullFrom }),
    })
    .where(eq(historySizes.userId, userId));
}

const sizeColumns = {
  bytes: historySizes.bytes,
  bareBytes: historySizes.bareBytes,
  fullFrom: historySizes.fullFrom,
};

function blobsOf(rows: { blob: Buffer | null }[]): Buffer[] {
  return rows.flatMap(({ blob }) => blob ?? []);
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
