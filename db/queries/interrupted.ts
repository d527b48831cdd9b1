import { and, eq, isNotNull, sql } from "drizzle-orm";
import type { Database } from "../client.ts";
import { executionDays, executions, historySizes } from "../schema.ts";
import { dayOf } from "./history-columns.ts";
import { runBytes } from "./history-size.ts";

/**
 * Takes back that a run was interrupted, for one whose real end has come to light; its day and its user's size don't count it
 * any more. Any other end stays.
 */
export async function reopenInterrupted(db: Database, id: string): Promise<void> {
  const interrupted = and(
    eq(executions.id, id),
    eq(executions.status, "interrupted"),
    isNotNull(executions.finishedAt),
  );
  const [row] = await db.select({ userId: executions.userId }).from(executions).where(interrupted);
  if (!row) return;
  const { userId } = row;
  await db.transaction(async (tx) => {
    // The size first, as everybody who changes finished runs.
    await tx.execute(sql`select 1 from ${historySizes} where user_id = ${userId} for update`);
    const [reopened] = await tx
      .update(executions)
      .set({ status: "running", finishedAt: null })
      .where(interrupted)
      .returning({
        day: dayOf(executions.createdAt),
        door: executions.door,
        tool: executions.tool,
        ms: executions.durationMs,
        cpuMs: executions.cpuMs,
        bytes: runBytes,
        bare: sql<boolean>`${executions.removedBytes} is not null`,
      });
    if (!reopened) return;
    const { day, door, tool, ms, cpuMs, bytes, bare } = reopened;
    await tx.execute(sql`
      update ${historySizes} set bytes = bytes - ${bytes}, bare_bytes = bare_bytes - ${bare ? bytes : 0}
      where user_id = ${userId}`);
    await tx.execute(sql`
      update ${executionDays} set runs = greatest(0, runs - 1), used_runs = greatest(0, used_runs - 1),
        used_ms = greatest(0, used_ms - ${ms ?? 0}), used_cpu_ms = greatest(0, used_cpu_ms - ${cpuMs ?? 0})
      where user_id = ${userId} and day = ${day} and door = ${door} and tool = ${tool} and status = 'interrupted'`);
  });
}
