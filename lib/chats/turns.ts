// The turns that run in this process, one per conversation.
import { setTimeout as sleep } from "node:timers/promises";
import { AppError } from "../app-error.ts";
import { perProcess } from "../per-process.ts";
import type { ChatMessage, ChatMetadata } from "./chat-message.ts";
import type { TurnLog } from "./turn-log.ts";

export interface Turn {
  userId: string;
  conversationId: string;
  messageId: string;
  log: TurnLog;
  /** The answer as far as it is. */
  message(): ChatMessage;
  /** Ends model and process at once. */
  stop(as: "stopped" | "interrupted"): void;
  ended: Promise<ChatMetadata>;
}

// A person's turns at one time; each may hold a model and a program.
const MOST_TURNS = 8;

const byConversation = perProcess<Map<string, Turn | { userId: string; starting: true }>>("turns");
const all = () => byConversation.get(() => new Map());
const ended = perProcess<Map<string, Turn>>("ended turns");
const LATE_MS = 30_000;
const SHUTDOWN_MS = 10_000;
const MOST_LATE = 50;

/** Holds the conversation for one turn, from before its first write, so that two requests can't both begin. */
export function reserveTurn(userId: string, conversationId: string): void {
  const turns = all();
  if (turns.has(conversationId)) {
    throw new AppError("conflict", "An answer is being given already. Wait for it, or stop it.");
  }
  if ([...turns.values()].filter((turn) => turn.userId === userId).length >= MOST_TURNS) {
    throw new AppError(
      "rate_limited",
      `You have ${MOST_TURNS} answers under way. Wait for one, or stop it.`,
      {
        retryAfterSeconds: 5,
      },
    );
  }
  turns.set(conversationId, { userId, starting: true });
}

export function keepTurn(turn: Turn): void {
  all().set(turn.conversationId, turn);
}

/** The conversation is free again. Who attaches a moment too late still hears all of the turn that ended. */
export function releaseTurn(conversationId: string): void {
  const turn = all().get(conversationId);
  all().delete(conversationId);
  if (!turn || !("log" in turn)) return;
  const late = ended.get(() => new Map());
  late.set(turn.messageId, turn);
  if (late.size > MOST_LATE) late.delete(late.keys().next().value ?? "");
  setTimeout(() => late.delete(turn.messageId), LATE_MS).unref();
}

/** The one that runs now. */
export function turnOf(userId: string, conversationId: string): Turn | undefined {
  const turn = all().get(conversationId);
  return turn && "log" in turn && turn.userId === userId ? turn : undefined;
}

/** The one that gives this answer, or has just given it. */
export function turnOfMessage(userId: string, conversationId: string, messageId: string): Turn | undefined {
  const turn = turnOf(userId, conversationId);
  if (turn?.messageId === messageId) return turn;
  const late = ended.peek()?.get(messageId);
  return late?.userId === userId && late.conversationId === conversationId ? late : undefined;
}

export function isRunning(conversationId: string): boolean {
  return all().has(conversationId);
}

/**
 * Everybody's for shutdown, or one user's: each keeps what it has and says that it was interrupted. Those that can't be
 * written now are marked by the next server.
 */
export async function interruptTurns(userId?: string): Promise<void> {
  const turns = [...all().values()]
    .filter((turn): turn is Turn => "log" in turn)
    .filter((turn) => userId === undefined || turn.userId === userId);
  for (const turn of turns) turn.stop("interrupted");
  await Promise.race([Promise.all(turns.map(({ ended }) => ended)), sleep(SHUTDOWN_MS)]);
}
