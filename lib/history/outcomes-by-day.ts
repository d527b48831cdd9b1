// How runs ended, day by day, for the chart.
import { countRunsByDay } from "#db/queries/execution-days.ts";
import { db } from "../database.ts";
import { lastDays } from "../days.ts";

export interface DayOutcomes {
  /** Such as 2026-11-16, in UTC. */
  day: string;
  done: number;
  failed: number;
  /** Stopped by somebody or something: a person, a limit, a restart. */
  ended: number;
}

/** One entry for each of the last so many days, today included. */
export async function outcomesByDay(
  userId: string,
  filter: { door?: string; tool?: string; status?: string },
  days: number,
  now = Date.now(),
): Promise<DayOutcomes[]> {
  const all = lastDays(days, now);
  const { door, tool, status } = filter;
  const counts = await countRunsByDay(db(), userId, { door, tool, status, from: all[0] });
  const byDay = new Map(all.map((day) => [day, { day, done: 0, failed: 0, ended: 0 }]));
  for (const { day, status: outcome, runs } of counts) {
    const entry = byDay.get(day);
    if (entry) entry[groupOf(outcome)] += runs;
  }
  return [...byDay.values()];
}

function groupOf(status: string): "done" | "failed" | "ended" {
  return status === "completed" ? "done" : status === "failed" ? "failed" : "ended";
}
