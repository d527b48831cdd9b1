import { eq, sql } from "drizzle-orm";
import type { Database } from "../client.ts";
import { artifacts, conversations, executions, sandboxes } from "../schema.ts";
import { countTokens } from "./tokens.ts";

/** What goes with an account, in figures. */
export async function countBelongings(db: Database, userId: string) {
  const [kept] = await db
    .select({ bytes: sql<number>`coalesce(sum(${artifacts.size}), 0)::float8` })
    .from(artifacts)
    .where(eq(artifacts.userId, userId));
  return {
    runs: await db.$count(executions, eq(executions.userId, userId)),
    conversations: await db.$count(conversations, eq(conversations.userId, userId)),
    artifacts: await db.$count(artifacts, eq(artifacts.userId, userId)),
    artifactBytes: kept?.bytes ?? 0,
    tokens: await countTokens(db, userId),
    sandbox: (await db.$count(sandboxes, eq(sandboxes.userId, userId))) > 0,
  };
}
