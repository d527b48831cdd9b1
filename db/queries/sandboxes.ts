import { and, eq, isNull, sql } from "drizzle-orm";
import type { Database } from "../client.ts";
import { sandboxes, users } from "../schema.ts";

const columns = { id: sandboxes.id, uid: sandboxes.uid, userId: sandboxes.userId };
export type SandboxRow = Pick<typeof sandboxes.$inferSelect, keyof typeof columns>;

// Any fixed number will do; it only has to differ from the other advisory locks of this database.
const UID_LOCK = 7_203_113;

/** Adds a sandbox with the lowest free uid, unless the user already has one or is not welcome, or no uid is free. */
export async function insertSandbox(
  db: Database,
  { id, userId, first, last }: { id: string; userId: string | null; first: number; last: number },
): Promise<SandboxRow | "owned" | "no uid" | "disabled"> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${UID_LOCK})`);
    if (userId && !(await isWelcome(tx as Database, userId))) return "disabled";
    const free = await tx.execute<{ uid: number | null }>(sql`
      select min(uid)::int as uid from generate_series(${first}::int, ${last}::int) as uid
      where not exists (select 1 from ${sandboxes} where ${sandboxes.uid} = uid.uid)`);
    const uid = free.rows[0]?.uid;
    if (!uid) return "no uid";
    const [row] = await tx
      .insert(sandboxes)
      .values({ id, uid, userId })
      .onConflictDoNothing({ target: sandboxes.userId })
      .returning(columns);
    return row ?? "owned";
  });
}

/** The user's sandbox, or one from the pool made theirs, in one statement: two users never get the same. */
export async function claimSandbox(db: Database, userId: string): Promise<SandboxRow | undefined> {
  const { rows } = await db.execute<{ id: string; uid: number; user_id: string }>(sql`
    with own as (
      select id, uid, user_id from sandboxes where user_id = ${userId}
    ), claimed as (
      update sandboxes set user_id = ${userId}, offered = false
      where id = (
        select id from sandboxes where offered and user_id is null order by id limit 1 for update skip locked
      ) and not exists (select 1 from own)
        and exists (select 1 from users where id = ${userId} and disabled_at is null)
      returning id, uid, user_id
    )
    select * from own union all select * from claimed`);
  const [row] = rows;
  return row && { id: row.id, uid: row.uid, userId: row.user_id };
}

export async function offerSandbox(db: Database, id: string): Promise<void> {
  await db
    .update(sandboxes)
    .set({ offered: true })
    .where(and(eq(sandboxes.id, id), isNull(sandboxes.userId)));
}

/** Takes a sandbox out of the pool, if nobody has claimed it yet. */
export async function withdrawSandbox(db: Database, id: string): Promise<boolean> {
  const withdrawn = await db
    .update(sandboxes)
    .set({ offered: false })
    .where(and(eq(sandboxes.id, id), isNull(sandboxes.userId)))
    .returning({ id: sandboxes.id });
  return withdrawn.length > 0;
}

export async function findSandbox(db: Database, userId: string): Promise<SandboxRow | undefined> {
  const [row] = await db.select(columns).from(sandboxes).where(eq(sandboxes.userId, userId));
  return row;
}

export async function listSandboxes(db: Database): Promise<SandboxRow[]> {
  return db.select(columns).from(sandboxes).orderBy(sandboxes.id);
}

export async function deleteSandbox(db: Database, id: string): Promise<void> {
  await db.delete(sandboxes).where(eq(sandboxes.id, id));
}

async function isWelcome(db: Database, userId: string): Promise<boolean> {
  const welcome = and(eq(users.id, userId), isNull(users.disabledAt));
  return (await db.select({ id: users.id }).from(users).where(welcome)).length > 0;
}
