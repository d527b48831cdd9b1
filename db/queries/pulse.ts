import { and, count, desc, eq, isNull } from "drizzle-orm";
import type { Database } from "../client.ts";
import { executions } from "../schema.ts";

/** The user's latest run and how many aren't over: two looks into indexes. */
export async function findPulse(db: Database, userId: string) {
  const [[last], [open]] = await Promise.all([
    db
      .select({ id: executions.id })
      .from(executions)
      .where(eq(executions.userId, userId))
      .orderBy(desc(executions.id))
      .limit(1),
    db
      .select({ count: count() })
      .from(executions)
      .where(and(eq(executions.userId, userId), isNull(executions.finishedAt))),
  ]);
  return { latest: last?.id, unfinished: open?.count ?? 0 };
}
