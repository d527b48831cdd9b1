import { and, eq } from "drizzle-orm";
import type { Database } from "../client.ts";
import { accounts, users } from "../schema.ts";
import { type User, userColumns } from "./users.ts";

interface Account {
  provider: string;
  providerAccountId: string;
}

export async function insertAccount(db: Database, account: Account & { userId: string }): Promise<void> {
  await db.insert(accounts).values(account);
}

export async function findUserByAccount(db: Database, account: Account): Promise<User | undefined> {
  const [row] = await db
    .select(userColumns)
    .from(accounts)
    .innerJoin(users, eq(users.id, accounts.userId))
    .where(
      and(eq(accounts.provider, account.provider), eq(accounts.providerAccountId, account.providerAccountId)),
    );
  return row;
}
