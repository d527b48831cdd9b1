// Counts of runs by day, from the table that keeps them.
import { and, eq, gte, lt, sql } from "drizzle-orm";
import type { Database } from "../client.ts";
import { executionDays } from "../schema.ts";

export interface DayFilter {
  door?: string;
  tool?: string;
  status?: string;
  /** Days such as 2026-11-16: from the first to before the other. */
  from?: string;
  to?: string;
}

export async function countRunsByDay(db: Database, userId: string, filter: DayFilter) {
  return db
    .select({
      day: executionDays.day,
      status: executionDays.status,
      runs: sql<number>`sum(${executionDays.runs})::int`,
    })
    .from(executionDays)
    .where(
      and(
        eq(executionDays.userId, userId),
        filter.from === undefined ? undefined : gte(executionDays.day, filter.from),
        filter.to === undefined ? undefined : lt(executionDays.day, filter.to),
        filter.door === undefined ? undefined : eq(executionDays.door, filter.door),
        filter.tool === undefined ? undefined : eq(executionDays.tool, filter.tool),
        filter.status === undefined ? undefined : eq(executionDays.status, filter.status),
      ),
    )
    .groupBy(executionDays.day, executionDays.status);
}
