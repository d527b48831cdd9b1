import { sql } from "drizzle-orm";
import type { Database } from "../client.ts";
import { agentTurns } from "../schema.ts";
import { idAt } from "./history-columns.ts";

export type AgentTurn = Omit<typeof agentTurns.$inferInsert, "id" | "createdAt">;

export async function insertAgentTurn(db: Database, turn: AgentTurn): Promise<void> {
  await db.insert(agentTurns).values(turn);
}

/** What is older than one time; and of what is older than the other, all but the newest so many of each user. */
export async function pruneAgentTurns(
  db: Database,
  { before, mostOlderThan, most }: { before: Date; mostOlderThan: Date; most: number },
): Promise<void> {
  await db.execute(sql`delete from ${agentTurns} where id < ${idAt(before)}::uuid`);
  await db.execute(sql`
    delete from ${agentTurns} as turns using (
      select user_id from ${agentTurns} group by user_id having count(*) > ${most}
    ) as large
    where turns.user_id = large.user_id and turns.id < ${idAt(mostOlderThan)}::uuid and turns.id <= (
      select id from ${agentTurns} as counted where counted.user_id = large.user_id order by id desc offset ${most} limit 1)`);
}
