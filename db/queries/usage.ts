// What people used, by day (UTC), for administrators and for limits.
import { and, eq, gte, lt, sql } from "drizzle-orm";
import type { Database } from "../client.ts";
import { agentTurns, executionDays, users } from "../schema.ts";

export interface UsageDay {
  userId: string;
  email: string;
  /** Such as 2026-11-18. */
  day: string;
  runs: number;
  ms: number;
  cpuMs: number;
  inputTokens: number;
  outputTokens: number;
}

/** Days from `from` to before `to`. */
export async function listUsage(db: Database, from: string, to: string): Promise<UsageDay[]> {
  const { rows } = await db.execute<Record<keyof UsageDay, string>>(sql`
    with runs as (
      select user_id, day, sum(used_runs) as runs, sum(used_ms) as ms, sum(used_cpu_ms) as cpu_ms
      from ${executionDays} where day >= ${from} and day < ${to} group by 1, 2
    ), turns as (
      select user_id, (created_at at time zone 'utc')::date as day,
        sum(input_tokens::bigint) as input_tokens, sum(output_tokens::bigint) as output_tokens
      from ${agentTurns}
      where created_at >= ${from}::date at time zone 'utc' and created_at < ${to}::date at time zone 'utc'
      group by 1, 2
    )
    select ${users.id} as "userId", ${users.email} as email, day::text as day,
      coalesce(runs, 0) as runs, coalesce(ms, 0) as ms, coalesce(cpu_ms, 0) as "cpuMs",
      coalesce(input_tokens, 0) as "inputTokens", coalesce(output_tokens, 0) as "outputTokens"
    from runs full join turns using (user_id, day) join ${users} on ${users.id} = user_id
    order by day, email`);
  return rows.map(({ userId, email, day, ...counts }) => ({
    userId,
    email,
    day,
    runs: Number(counts.runs),
    ms: Number(counts.ms),
    cpuMs: Number(counts.cpuMs),
    inputTokens: Number(counts.inputTokens),
    outputTokens: Number(counts.outputTokens),
  }));
}

/** What models read and wrote for the user between two moments, on the installation's keys. */
export async function sumTokens(db: Database, userId: string, from: Date, to: Date): Promise<number> {
  const [row] = await db
    .select({
      tokens: sql<string>`coalesce(sum(${agentTurns.inputTokens}::bigint + ${agentTurns.outputTokens}), 0)`,
    })
    .from(agentTurns)
    .where(
      and(
        eq(agentTurns.userId, userId),
        eq(agentTurns.ownKey, false),
        gte(agentTurns.createdAt, from),
        lt(agentTurns.createdAt, to),
      ),
    );
  return Number(row?.tokens ?? 0);
}
