import { and, desc, eq, exists, gt, isNull, lt, sql } from "drizzle-orm";
import type { Database } from "../client.ts";
import { invitations, users } from "../schema.ts";
import { insertUser, type User } from "./users.ts";

const columns = {
  id: invitations.id,
  email: invitations.email,
  admin: invitations.admin,
  createdAt: invitations.createdAt,
  expiresAt: invitations.expiresAt,
};
export type Invitation = Pick<typeof invitations.$inferSelect, keyof typeof columns>;

/** Takes the place of an earlier one for the same address, whose link then opens nothing. */
export async function insertInvitation(
  db: Database,
  invitation: { email: string; admin: boolean; hash: Buffer; invitedBy: string; expiresAt: Date },
): Promise<Invitation> {
  return db.transaction(async (tx) => {
    await tx.delete(invitations).where(lt(invitations.expiresAt, sql`now()`));
    await tx.delete(invitations).where(eq(sql`lower(${invitations.email})`, invitation.email.toLowerCase()));
    const [row] = await tx.insert(invitations).values(invitation).returning(columns);
    if (!row) throw new Error("An invitation could not be written.");
    return row;
  });
}

/** Those that still open something, newest first. */
export async function listInvitations(db: Database): Promise<(Invitation & { invitedBy: string })[]> {
  return db
    .select({ ...columns, invitedBy: users.email })
    .from(invitations)
    .innerJoin(users, eq(users.id, invitations.invitedBy))
    .where(isValid(db))
    .orderBy(desc(invitations.id));
}

export async function findInvitation(db: Database, hash: Buffer): Promise<Invitation | undefined> {
  const [row] = await db
    .select(columns)
    .from(invitations)
    .where(and(eq(invitations.hash, hash), isValid(db)));
  return row;
}

export async function deleteInvitation(db: Database, id: string): Promise<Invitation | undefined> {
  const [row] = await db.delete(invitations).where(eq(invitations.id, id)).returning(columns);
  return row;
}

/** Uses it up and adds the account it is for: of two who try at once one succeeds. Where the address is taken it is of no use. */
export async function redeemInvitation(
  db: Database,
  hash: Buffer,
  person: { name: string; passwordHash: string },
): Promise<User | "taken" | undefined> {
  return db.transaction(async (tx) => {
    const [used] = await tx
      .delete(invitations)
      .where(and(eq(invitations.hash, hash), isValid(tx)))
      .returning(columns);
    if (!used) return undefined;
    return (await insertUser(tx, { ...person, email: used.email, admin: used.admin })) ?? "taken";
  });
}

/** It lasts as long as whoever gave it may give one: an administrator who was sent away left no way back in. */
function isValid(db: Database) {
  const inviter = db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, invitations.invitedBy), eq(users.admin, true), isNull(users.disabledAt)));
  return and(gt(invitations.expiresAt, sql`now()`), exists(inviter));
}
