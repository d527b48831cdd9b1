// What the network policy refused, and what administrators allowed because of it.
import { desc, eq, gte, sql } from "drizzle-orm";
import type { Database } from "../client.ts";
import { egressAllow, egressDenials, users } from "../schema.ts";

export interface DeniedConnection {
  userId: string;
  /** Such as 2026-11-18. */
  day: string;
  host: string;
  port: number;
  reason: string;
  count: number;
  lastAt: Date;
}

/** Stands for all names of a day beyond the most that are kept. */
export const OTHER_HOSTS = "(other hosts)";

/**
 * Adds to what is there. Rows of users who are gone meanwhile are left out, and code makes up names without end: those beyond
 * the most that a user may have in a day are counted together.
 */
export async function countDenials(
  db: Database,
  denials: DeniedConnection[],
  mostHosts: number,
): Promise<void> {
  if (denials.length === 0) return;
  const rows = JSON.stringify(denials);
  await db.execute(sql`
    with fresh as (
      select "userId" as user_id, day, host, port, reason, count, "lastAt" as last_at
      from json_to_recordset(${rows}::json)
        as fresh ("userId" uuid, day date, host text, port int, reason text, count int, "lastAt" timestamptz)
      where exists (select 1 from ${users} where ${users.id} = "userId")
    ),
    known as (
      select user_id, day, count(*) as hosts from ${egressDenials}
      where (user_id, day) in (select user_id, day from fresh) group by user_id, day
    ),
    placed as (
      select fresh.*, old.host is null and coalesce(known.hosts, 0)
        + row_number() over (partition by fresh.user_id, fresh.day, old.host is null order by fresh.count desc) > ${mostHosts} as beyond
      from fresh left join known using (user_id, day)
      left join ${egressDenials} as old using (user_id, day, host, port, reason)
    )
    insert into ${egressDenials} (user_id, day, host, port, reason, count, last_at)
    select user_id, day, case when beyond then ${OTHER_HOSTS} else host end, case when beyond then 0 else port end, reason,
      sum(count), max(last_at)
    from placed group by 1, 2, 3, 4, 5
    on conflict (user_id, day, host, port, reason) do update
      set count = egress_denials.count + excluded.count, last_at = excluded.last_at`);
}

/** By host and reason, the most wanted first. */
export async function listDeniedHosts(db: Database, since: string, most: number) {
  return db
    .select({
      host: egressDenials.host,
      port: egressDenials.port,
      reason: egressDenials.reason,
      count: sql<number>`sum(${egressDenials.count})::int`.as("count"),
      people: sql<number>`count(distinct ${egressDenials.userId})::int`.as("people"),
      lastAt: sql<Date>`max(${egressDenials.lastAt})`.mapWith(egressDenials.lastAt).as("last_at"),
    })
    .from(egressDenials)
    .where(gte(egressDenials.day, since))
    .groupBy(egressDenials.host, egressDenials.port, egressDenials.reason)
    .orderBy(desc(sql`people`), desc(sql`count`))
    .limit(most);
}

export async function deleteDenialsBefore(db: Database, day: string): Promise<number> {
  const { rowCount } = await db.delete(egressDenials).where(sql`${egressDenials.day} < ${day}`);
  return rowCount ?? 0;
}

export async function listAllowedHosts(db: Database) {
  return db.select().from(egressAllow).orderBy(egressAllow.host);
}

/** Whether it was not there yet. */
export async function insertAllowedHost(db: Database, host: string, addedBy: string): Promise<boolean> {
  const rows = await db
    .insert(egressAllow)
    .values({ host, addedBy })
    .onConflictDoNothing()
    .returning({ host: egressAllow.host });
  return rows.length > 0;
}

/** Whether it was there. */
export async function deleteAllowedHost(db: Database, host: string): Promise<boolean> {
  const rows = await db
    .delete(egressAllow)
    .where(eq(egressAllow.host, host))
    .returning({ host: egressAllow.host });
  return rows.length > 0;
}
