// One page of a user's history, in bounded work whatever the filters and however many rows there are.
//
// First the newest few thousand rows are looked through, in the order of an index: that fills a page unless what is looked
// for is rare. If it is, the other indexes find all of it. What is neither, because it is common but far back, is looked
// for further with the next page, which the reader is told.
import { and, eq, gte, isNotNull, lt, type SQL, sql } from "drizzle-orm";
import type { Database } from "../client.ts";
import { executions } from "../schema.ts";
import { idAt, timeOf, wordQuery } from "./history-columns.ts";

export interface HistoryFilter {
  door?: string;
  tool?: string;
  status?: string;
  conversationId?: string;
  /** Began at or after, and before. */
  from?: Date;
  to?: Date;
  words?: string[];
}

export interface HistoryIds {
  ids: string[];
  /** Where the next page begins; missing on the last. */
  next?: string;
  /** Everything since then was looked through; there may be more before. */
  lookedBackTo?: Date;
}

const MOST_LOOKED_THROUGH = 2_000;
const MOST_RARE = 1_000;

export async function findHistoryPage(
  db: Database,
  userId: string,
  filter: HistoryFilter,
  { before, size }: { before?: string; size: number },
): Promise<HistoryIds> {
  const scope = and(
    eq(executions.userId, userId),
    isNotNull(executions.finishedAt),
    before ? lt(executions.id, before) : undefined,
    filter.from && gte(executions.id, idAt(filter.from)),
    filter.to && lt(executions.id, idAt(filter.to)),
  );
  const [indexed, ...others] = equalities(filter);
  const tried = and(...others, search(filter.words));
  const recent = await lookThrough(db, and(scope, indexed), tried, size);
  if (recent.ids.length > size || recent.complete) return page(recent.ids, size);

  const older = await findRare(db, and(scope, lt(executions.id, recent.last), indexed, tried));
  if (older) return page([...recent.ids, ...older], size);
  return { ids: recent.ids, next: recent.last, lookedBackTo: timeOf(recent.last) };
}

function page(ids: string[], size: number): HistoryIds {
  const shown = ids.slice(0, size);
  const last = shown.at(-1);
  return { ids: shown, ...(ids.length > size && last && { next: last }) };
}

/** `within` has an index in the order of ids; `tried` is looked at row by row. */
async function lookThrough(db: Database, within: SQL | undefined, tried: SQL | undefined, size: number) {
  const most = tried ? MOST_LOOKED_THROUGH : size + 1;
  const { rows } = await db.execute<{ looked: number; last: string | null; ids: string[] }>(sql`
    with looked as materialized (
      select id, ${tried ? sql`(${tried})` : sql`true`} as fits from ${executions}
      where ${within} order by id desc limit ${most}
    )
    select (select count(*)::int from looked) as looked,
      (select id from looked order by id limit 1) as last,
      array(select id::text from looked where fits order by id desc limit ${size + 1}) as ids`);
  const [{ looked, last, ids } = { looked: 0, last: null, ids: [] }] = rows;
  return { ids, last: last ?? "", complete: looked < most };
}

/** All that fit, newest first; nothing if they are many. Bitmaps only: any other plan may read the whole table in vain. */
async function findRare(db: Database, where: SQL | undefined): Promise<string[] | undefined> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`set local enable_seqscan = off`);
    await tx.execute(sql`set local enable_indexscan = off`);
    const { rows } = await tx.execute<{ id: string }>(
      sql`select id from ${executions} where ${where} limit ${MOST_RARE + 1}`,
    );
    if (rows.length > MOST_RARE) return undefined;
    const ids = rows.map(({ id }) => id);
    return ids.sort().reverse();
  });
}

/** Each has an index of its own; the one that narrows most comes first. */
function equalities({ conversationId, status, tool, door }: HistoryFilter): SQL[] {
  return [
    conversationId !== undefined && eq(executions.conversationId, conversationId),
    status !== undefined && eq(executions.status, status),
    tool !== undefined && eq(executions.tool, tool),
    door !== undefined && eq(executions.door, door),
  ].filter((condition) => condition !== false);
}

function search(words: string[] = []): SQL | undefined {
  return words.length > 0 ? sql`${executions.words} @@ ${wordQuery(words)}::tsquery` : undefined;
}
