import { and, count, desc, eq, ne, sql } from "drizzle-orm";
import type { Database } from "../client.ts";
import { consoleRuns, consoles, executions } from "../schema.ts";
import { UNFLUSHED } from "./unflushed.ts";

export interface ConsoleContent {
  name: string;
  session: string;
  /** JSON. */
  cells: string;
}

const columns = {
  id: consoles.id,
  name: consoles.name,
  session: consoles.session,
  cells: consoles.cells,
  version: consoles.version,
};
export type ConsoleRow = Pick<typeof consoles.$inferSelect, keyof typeof columns>;

export async function insertConsole(
  db: Database,
  userId: string,
  content: ConsoleContent,
): Promise<ConsoleRow> {
  const [row] = await db
    .insert(consoles)
    .values({ userId, ...content })
    .returning(columns);
  if (!row) throw new Error("A console could not be written.");
  return row;
}

/** The latest first. */
export async function listConsoles(db: Database, userId: string) {
  return db
    .select({ id: consoles.id, name: consoles.name, updatedAt: consoles.updatedAt })
    .from(consoles)
    .where(eq(consoles.userId, userId))
    .orderBy(desc(consoles.updatedAt), desc(consoles.id));
}

/** How many there are and what they take, but for one of them. */
export async function measureConsoles(db: Database, userId: string, except?: string) {
  const [row] = await db
    .select({
      consoles: count(),
      bytes: sql`coalesce(sum(octet_length(${consoles.cells})), 0)`.mapWith(Number),
    })
    .from(consoles)
    .where(and(eq(consoles.userId, userId), except === undefined ? undefined : ne(consoles.id, except)));
  return row ?? { consoles: 0, bytes: 0 };
}

export async function findConsole(db: Database, userId: string, id: string): Promise<ConsoleRow | undefined> {
  const [row] = await db.select(columns).from(consoles).where(own(userId, id));
  return row;
}

/** The new version; nothing if the saved one isn't the one that was changed. */
export async function updateConsole(
  db: Database,
  userId: string,
  id: string,
  version: number,
  content: ConsoleContent,
): Promise<number | undefined> {
  const [row] = await db
    .update(consoles)
    .set({ ...content, version: sql`${consoles.version} + 1`, updatedAt: sql`now()` })
    .where(and(own(userId, id), eq(consoles.version, version)))
    .returning({ version: consoles.version });
  return row?.version;
}

export async function deleteConsole(db: Database, userId: string, id: string): Promise<boolean> {
  const gone = await db.delete(consoles).where(own(userId, id)).returning({ id: consoles.id });
  return gone.length > 0;
}

// Twice as many as a console has cells.
const MOST_RUNS = 1_000;

/**
 * From now on this is the cell's run; of cells that are many and long gone the oldest runs are forgotten. False when the console isn't the user's. The run waits for this and this doesn't wait
 * for the disk: what a crash takes is which run a cell shows.
 */
export async function pointCellAtRun(
  db: Database,
  userId: string,
  { consoleId, cellId, executionId }: typeof consoleRuns.$inferInsert,
): Promise<boolean> {
  const { rowCount } = await db.execute(sql`
    with own as (select id from ${consoles} where id = ${consoleId} and user_id = ${userId}),
    forgotten as (
      delete from ${consoleRuns} where console_id in (select id from own) and cell_id <> ${cellId} and cell_id in (
        select cell_id from ${consoleRuns} where console_id in (select id from own)
        order by execution_id desc offset ${MOST_RUNS - 1})
    ),
    unflushed as (${UNFLUSHED})
    insert into ${consoleRuns} (console_id, cell_id, execution_id)
    select id, ${cellId}, ${executionId}::uuid from own cross join unflushed
    on conflict (console_id, cell_id) do update set execution_id = excluded.execution_id`);
  return (rowCount ?? 0) > 0;
}

/** Which run each cell shows: cell id → execution id. Runs that were deleted from the history are left out. */
export async function runsOfConsole(
  db: Database,
  userId: string,
  id: string,
): Promise<Record<string, string>> {
  const rows = await db
    .select({ cellId: consoleRuns.cellId, executionId: consoleRuns.executionId })
    .from(consoleRuns)
    .innerJoin(executions, and(eq(executions.id, consoleRuns.executionId), eq(executions.userId, userId)))
    .innerJoin(consoles, eq(consoles.id, consoleRuns.consoleId))
    .where(own(userId, id));
  return Object.fromEntries(rows.map(({ cellId, executionId }) => [cellId, executionId]));
}

function own(userId: string, id: string) {
  return and(eq(consoles.id, id), eq(consoles.userId, userId));
}
