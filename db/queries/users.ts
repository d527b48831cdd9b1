import { and, count, eq, isNotNull, ne, sql } from "drizzle-orm";
import type { Database } from "../client.ts";
import { artifacts, executions, users } from "../schema.ts";

export interface NewUser {
  email: string;
  name: string;
  passwordHash?: string;
  admin?: boolean;
}

// What the rest of the program may know about a user. The password hash is not part of it.
export const userColumns = {
  id: users.id,
  email: users.email,
  name: users.name,
  admin: users.admin,
  disabledAt: users.disabledAt,
  createdAt: users.createdAt,
};
export type User = Pick<typeof users.$inferSelect, keyof typeof userColumns>;

// Any fixed number will do; it only has to differ from the other advisory locks of this database.
const FIRST_USER_LOCK = 7_203_111;

/** Adds a user, or returns nothing when the e-mail is taken. The very first one is administrator. */
export async function insertUser(db: Database, user: NewUser): Promise<User | undefined> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${FIRST_USER_LOCK})`);
    const first = (await tx.select({ n: count() }).from(users))[0]?.n === 0;
    const [row] = await tx
      .insert(users)
      .values({ ...user, admin: first || (user.admin ?? false) })
      .onConflictDoNothing()
      .returning(userColumns);
    return row;
  });
}

export async function findUser(db: Database, id: string): Promise<User | undefined> {
  const [row] = await db.select(userColumns).from(users).where(eq(users.id, id));
  return row;
}

export async function findUserByEmail(db: Database, email: string): Promise<User | undefined> {
  const [row] = await db.select(userColumns).from(users).where(hasEmail(email));
  return row;
}

/** For signing in only: the one query that hands out a password hash. */
export async function findCredentials(db: Database, email: string) {
  const [row] = await db
    .select({
      id: users.id,
      passwordHash: users.passwordHash,
      disabledAt: users.disabledAt,
      deviceEpoch: users.deviceEpoch,
    })
    .from(users)
    .where(hasEmail(email));
  return row;
}

export async function hasUsers(db: Database): Promise<boolean> {
  return (await db.select({ id: users.id }).from(users).limit(1)).length > 0;
}

export async function listUsers(db: Database): Promise<User[]> {
  return db.select(userColumns).from(users).orderBy(users.id);
}

export async function hasPassword(db: Database, id: string): Promise<boolean> {
  const [row] = await db
    .select({ yes: sql<boolean>`${users.passwordHash} is not null` })
    .from(users)
    .where(eq(users.id, id));
  return row?.yes ?? false;
}

export async function updateName(db: Database, id: string, name: string): Promise<void> {
  await db.update(users).set({ name }).where(eq(users.id, id));
}

/** What known devices are signed with. */
export async function findDeviceEpoch(db: Database, id: string): Promise<number | undefined> {
  const [row] = await db.select({ epoch: users.deviceEpoch }).from(users).where(eq(users.id, id));
  return row?.epoch;
}

export async function setDisabled(db: Database, id: string, disabled: boolean): Promise<void> {
  await db
    .update(users)
    .set({ disabledAt: disabled ? sql`now()` : null })
    .where(eq(users.id, id));
}

/** Everything a user owns hangs off this row and goes with it. Gives back the contents their artifacts and runs had. */
export async function deleteUser(db: Database, id: string): Promise<Buffer[]> {
  return db.transaction(async (tx) => {
    const gone = await tx
      .delete(artifacts)
      .where(eq(artifacts.userId, id))
      .returning({ sha256: artifacts.sha256 });
    const outputs = await tx
      .select({ sha256: executions.outputBlob })
      .from(executions)
      .where(and(eq(executions.userId, id), isNotNull(executions.outputBlob)));
    await tx.delete(users).where(eq(users.id, id));
    return [...gone, ...outputs].flatMap(({ sha256 }) => sha256 ?? []);
  });
}

/** Whether others depend on this administrator: there are other users, and none of them is one. */
export async function isLastAdmin(db: Database, id: string): Promise<boolean> {
  const [row] = await db
    .select({
      others: count(),
      admins: sql<number>`count(*) filter (where ${users.admin} and ${users.disabledAt} is null)::int`,
    })
    .from(users)
    .where(and(ne(users.id, id)));
  return row !== undefined && row.others > 0 && row.admins === 0;
}

function hasEmail(email: string) {
  return eq(sql`lower(${users.email})`, email.toLowerCase());
}
