// One page of a user's history, in bounded work whatever the filters and however many rows there are.
//
// First the newest few thousand rows are looked through, in the order of an index: that fills a page unless what is looked
// for is rare or far back. For door, tool and status the counts by day know where it is. Of words, which nobody counts, an
// index finds all that are rare, within a moment. A word that is common but far back is left to the reader: the page says
// how far it looked, and whoever wants to know asks for a thorough search, which may take its time.
import { and, eq, gte, isNotNull, lt, type SQL, sql } from "drizzle-orm";
import type { Database } from "../client.ts";
import { executions } from "../schema.ts";
import { findByDay } from "./history-by-day.ts";
import { idAt, timeOf, wordQuery } from "./history-columns.ts";
import { withinTime } from "./within-time.ts";

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

export interface PageOptions {
  before?: string;
  size: number;
  /** Look as far back as it takes. */
  thorough?: boolean;
  /** For finding what is rare or far back; after that the page says how far it looked. */
  momentMs?: number;
}

const MOST_LOOKED_THROUGH = 2_000;
const MOST_RARE = 1_000;
const MOST_ESTIMATED = 20_000;
const MOMENT_MS = 25;
const THOROUGH_MS = 15_000;

export async function findHistoryPage(
  db: Database,
  userId: string,
  filter: HistoryFilter,
  { before, size, thorough = false, momentMs = MOMENT_MS }: PageOptions,
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

  const older = await findOlder();
  if (older) return page([...recent.ids, ...older], size);
  return { ids: recent.ids, next: recent.last, lookedBackTo: timeOf(recent.last) };

  async function findOlder(): Promise<string[] | undefined> {
    const rest = and(scope, lt(executions.id, recent.last), indexed, tried);
    if (thorough) return findAll(db, rest, size + 1);
    const isCounted = !filter.words?.length && filter.conversationId === undefined;
    return isCounted
      ? findByDay(db, userId, filter, { before: recent.last, most: size + 1, ms: momentMs })
      : findRare(db, rest, momentMs);
  }
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
async function findRare(db: Database, where: SQL | undefined, ms: number): Promise<string[] | undefined> {
  const select = sql`select id from ${executions} where ${where}`;
  // An index of words is read to its end before anything can stop it, so what is common isn't even tried.
  if ((await estimate(db, select)) > MOST_ESTIMATED) return undefined;
  const settings = { enable_seqscan: "off", enable_indexscan: "off" };
  const ids = await withinTime(db, ms, settings, sql`${select} limit ${MOST_RARE + 1}`);
  return ids && ids.length <= MOST_RARE ? ids.sort().reverse() : undefined;
}

async function findAll(db: Database, where: SQL | undefined, most: number): Promise<string[] | undefined> {
  const select = sql`select id from ${executions} where ${where} order by id desc limit ${most}`;
  return withinTime(db, THOROUGH_MS, {}, select);
}

/** How many rows Postgres expects a query to find. */
async function estimate(db: Database, select: SQL): Promise<number> {
  const { rows } = await db.execute<{ "QUERY PLAN": [{ Plan: { "Plan Rows": number } }] }>(
    sql`explain (format json) ${select}`,
  );
  return rows[0]?.["QUERY PLAN"][0].Plan["Plan Rows"] ?? 0;
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
