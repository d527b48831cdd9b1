// Filters that are each common and seldom met together. The counts by day know on which days they were, so that nothing
// else is looked at, however far back it is.
import { and, eq, gte, isNotNull, lt, lte, type SQL, sql } from "drizzle-orm";
import type { Database } from "../client.ts";
import { executionDays, executions } from "../schema.ts";
import { idAt, timeOf } from "./history-columns.ts";
import type { HistoryFilter } from "./history-page.ts";
import { withinTime } from "./within-time.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

type DayFilter = Pick<HistoryFilter, "door" | "tool" | "status" | "from" | "to">;

/** The newest ids before this one, up to so many; nothing if they can't be found in time. */
export async function findByDay(
  db: Database,
  userId: string,
  filter: DayFilter,
  { before, most, ms }: { before: string; most: number; ms: number },
): Promise<string[] | undefined> {
  const days = await daysOf(db, userId, filter, before, most);
  const { chosen, isCut } = enough(days, most);
  if (chosen.length === 0) return [];
  const fits = and(
    eq(executions.userId, userId),
    isNotNull(executions.finishedAt),
    lt(executions.id, before),
    filter.from && gte(executions.id, idAt(filter.from)),
    filter.to && lt(executions.id, idAt(filter.to)),
    ...equals(executions, filter),
  );
  const parts = windows(chosen).map(
    ([first, last]) =>
      sql`(select id from ${executions} where ${fits} and id >= ${first}::uuid and id < ${last}::uuid order by id desc limit ${most})`,
  );
  const all = sql`select id from (${sql.join(parts, sql` union all `)}) as parts order by id desc limit ${most}`;
  const ids = await withinTime(db, ms, {}, all);
  // Fewer than were counted, and there are days that weren't looked at: the counts don't know better after all.
  return ids && isCut && ids.length < most ? undefined : ids;
}

/** Days on which they met, the newest first. Each has one run at least, so as many days as runs are enough. */
async function daysOf(db: Database, userId: string, filter: DayFilter, before: string, most: number) {
  const runs = sql<number>`sum(${executionDays.runs})::int`;
  return db
    .select({ day: executionDays.day, runs })
    .from(executionDays)
    .where(
      and(
        eq(executionDays.userId, userId),
        ...equals(executionDays, filter),
        // A run's id is made a moment before its day is.
        lte(executionDays.day, dayAt(timeOf(before).getTime() + HOUR_MS)),
        filter.to && lte(executionDays.day, dayAt(filter.to.getTime() + HOUR_MS)),
        filter.from && gte(executionDays.day, dayAt(filter.from.getTime() - HOUR_MS)),
      ),
    )
    .groupBy(executionDays.day)
    .having(sql`${runs} > 0`)
    .orderBy(sql`${executionDays.day} desc`)
    .limit(most + 2);
}

/** As many days as it takes; the newest two may be cut by where the page begins, so they don't count. */
function enough(days: { day: string; runs: number }[], most: number) {
  let sum = 0;
  const end = days.findIndex(({ runs }, at) => {
    sum += at < 2 ? 0 : runs;
    return sum >= most;
  });
  const chosen = days.slice(0, end < 0 ? days.length : end + 1).map(({ day }) => day);
  return { chosen, isCut: end >= 0 };
}

/** Ranges of ids, neighbouring days joined, an hour wider on both sides than the days. */
function windows(days: string[]): [string, string][] {
  const ranges: [number, number][] = [];
  for (const day of days) {
    const start = Date.parse(day);
    const last = ranges.at(-1);
    if (last && last[0] - start === DAY_MS) last[0] = start;
    else ranges.push([start, start + DAY_MS]);
  }
  return ranges.map(([start, end]) => [idAt(new Date(start - HOUR_MS)), idAt(new Date(end + HOUR_MS))]);
}

function equals(table: typeof executions | typeof executionDays, { door, tool, status }: DayFilter): SQL[] {
  return [
    door !== undefined && eq(table.door, door),
    tool !== undefined && eq(table.tool, tool),
    status !== undefined && eq(table.status, status),
  ].filter((condition) => condition !== false);
}

function dayAt(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
