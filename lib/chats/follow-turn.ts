// Watching a turn, from the beginning or from where one was, and stopping it.
import { findMessage } from "#db/queries/messages.ts";
import { AppError } from "../app-error.ts";
import { db } from "../database.ts";
import type { ChatMetadata } from "./chat-message.ts";
import { requireConversation } from "./conversations.ts";
import { toChatMessage } from "./stored-message.ts";
import type { Placed } from "./turn-log.ts";
import { turnOf, turnOfMessage } from "./turns.ts";

export interface FollowedTurn {
  chunks: AsyncIterable<Placed>;
  /** Once the chunks are over. */
  end(): Promise<ChatMetadata | undefined>;
}

/** For an answer that was given long ago, or by an earlier server, there are no chunks, only its end. */
export async function followTurn(
  userId: string,
  conversationId: string,
  messageId: string,
  { after, signal }: { after: number; signal: AbortSignal },
): Promise<FollowedTurn> {
  const turn = turnOfMessage(userId, conversationId, messageId);
  if (turn) return { chunks: turn.log.read(after, signal), end: () => turn.ended };
  const row = await findMessage(db(), userId, conversationId, messageId);
  if (!row) throw new AppError("not_found", "There is no such message.");
  return { chunks: nothing(), end: async () => toChatMessage(row).metadata };
}

/** Resolves when model and process have ended. */
export async function stopTurn(userId: string, conversationId: string): Promise<{ stopped: boolean }> {
  await requireConversation(userId, conversationId);
  const turn = turnOf(userId, conversationId);
  turn?.stop("stopped");
  await turn?.ended;
  return { stopped: turn !== undefined };
}

async function* nothing(): AsyncGenerator<Placed> {}
