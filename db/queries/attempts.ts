import { and, eq, gt, lt, sql } from "drizzle-orm";
import type { Database } from "../client.ts";
import { attempts } from "../schema.ts";

/** Counts one more try and says how many there were in the current window. One statement, so parallel tries can't slip by. */
export async function countAttempt(
  db: Database,
  key: string,
  windowSeconds: number,
): Promise<{ count: number; resetsAt: Date }> {
  const windowEnd = sql`now() + make_interval(secs => ${windowSeconds})`;
  const over = sql`${attempts.resetsAt} <= now()`;
  const [row] = await db
    .insert(attempts)
    .values({ key, count: 1, resetsAt: windowEnd })
    .onConflictDoUpdate({
      target: attempts.key,
      set: {
        count: sql`case when ${over} then 1 else ${attempts.count} + 1 end`,
        resetsAt: sql`case when ${over} then ${windowEnd} else ${attempts.resetsAt} end`,
      },
    })
    .returning({ count: attempts.count, resetsAt: attempts.resetsAt });
  if (!row) throw new Error("An attempt could not be counted.");
  return row;
}

/** Takes one try back, as if it had not been made. */
export async function returnAttempt(db: Database, key: string): Promise<void> {
  await db
    .update(attempts)
    .set({ count: sql`${attempts.count} - 1` })
    .where(and(eq(attempts.key, key), gt(attempts.count, 0)));
}

export async function forgetAttempts(
  db: Database,
  which: { key: string } | { prefix: string },
): Promise<void> {
  const those =
    "key" in which ? eq(attempts.key, which.key) : sql`starts_with(${attempts.key}, ${which.prefix})`;
  await db.delete(attempts).where(those);
}

/** Windows that have passed. */
export async function sweepAttempts(db: Database): Promise<void> {
  await db.delete(attempts).where(lt(attempts.resetsAt, sql`now()`));
}
