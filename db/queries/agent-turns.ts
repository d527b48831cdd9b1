import type { Database } from "../client.ts";
import { agentTurns } from "../schema.ts";

export type AgentTurn = Omit<typeof agentTurns.$inferInsert, "id" | "createdAt">;

export async function insertAgentTurn(db: Database, turn: AgentTurn): Promise<void> {
  await db.insert(agentTurns).values(turn);
}
