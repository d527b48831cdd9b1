// A message is sent: it and the beginnings of its answer are written down, then the turn runs by itself.
import { v7 } from "uuid";
import { findLastQuestion, findMessage, listMessages, replaceMessages } from "#db/queries/messages.ts";
import { prepareAgent } from "../agent/stream-agent.ts";
import { AppError } from "../app-error.ts";
import { db } from "../database.ts";
import { requireHostRoom } from "../host-room.ts";
import { chooseModel } from "../models/choose-model.ts";
import { limitRate } from "../rate-limit.ts";
import { answer } from "./answer.ts";
import type { ChatMessage } from "./chat-message.ts";
import { requireConversation, requireRoomToSay } from "./conversations.ts";
import { runProgram } from "./direct-run.ts";
import { programIn } from "./program-in.ts";
import { runTurn, type Work } from "./run-turn.ts";
import { bodyOf, storable, toChatMessage } from "./stored-message.ts";
import { firstTitle, improveTitle } from "./title.ts";
import { releaseTurn, reserveTurn } from "./turns.ts";

export interface TurnRequest {
  text: string;
  files?: string[];
  model?: string;
  /** The message that is edited or sent again: it and all after it are dropped. */
  replaces?: string;
}

export interface StartedTurn {
  userMessage: ChatMessage;
  assistantMessage: ChatMessage;
}

export async function startTurn(
  userId: string,
  conversationId: string,
  request: TurnRequest,
): Promise<StartedTurn> {
  limitRate(userId);
  await requireHostRoom();
  const { text, files = [], replaces } = request;
  const program = programIn(text);
  // Nobody has to wait for one to ask for the other; whose conversation it is decides first.
  const choosing = program ? undefined : chooseModel(userId, request.model);
  choosing?.then(
    () => prepareAgent(userId),
    () => undefined,
  );
  const conversation = await requireConversation(userId, conversationId);
  reserveTurn(userId, conversationId);
  try {
    const [chosen, rows] = await Promise.all([
      choosing,
      listMessages(db(), userId, conversationId),
      requireRoomToSay(userId),
      replaces && requireQuestion(userId, conversationId, replaces),
    ]);
    const userMessage = newMessage("user", [
      ...files.map((path) => ({ type: "data-file" as const, data: { path } })),
      ...(text ? [{ type: "text" as const, text }] : []),
    ]);
    const assistantMessage = newMessage("assistant", [], chosen?.id);
    const earlier = rows.filter(({ id }) => !replaces || id < replaces).map(toChatMessage);
    const title =
      earlier.length === 0 && !conversation.title ? firstTitle(text || (files[0] ?? "")) : undefined;
    await replaceMessages(db(), userId, conversationId, {
      ...(replaces && { from: replaces }),
      add: [userMessage, assistantMessage].map(toRow),
      ...(title && { title }),
    });
    const turn = runTurn(
      { userId, conversationId, message: assistantMessage },
      chosen
        ? answer({ userId, conversationId, chosen, history: [...earlier, userMessage] })
        : runDirectly(userId, conversationId, program),
    );
    if (title && chosen) void turn.ended.then(() => improveTitle(conversationId, { title, text }, chosen));
    return { userMessage, assistantMessage };
  } catch (error) {
    releaseTurn(conversationId);
    throw error;
  }
}

/** The last question again. */
export async function regenerate(
  userId: string,
  conversationId: string,
  model?: string,
): Promise<StartedTurn> {
  await requireConversation(userId, conversationId);
  const last = await findLastQuestion(db(), userId, conversationId);
  if (!last) throw new AppError("conflict", "Nothing was asked yet.");
  const { parts } = toChatMessage(last);
  const text = parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
  const files = parts.flatMap((part) => (part.type === "data-file" ? [part.data.path] : []));
  return startTurn(userId, conversationId, {
    text,
    files,
    replaces: last.id,
    ...(model && { model }),
  });
}

function runDirectly(userId: string, conversationId: string, program: ReturnType<typeof programIn>): Work {
  return async (signal, add) => {
    if (!program) throw new Error("There is nothing to run.");
    for await (const chunk of runProgram(program, { userId, conversationId, signal })) add(chunk);
    return { status: signal.aborted ? "stopped" : "done" };
  };
}

async function requireQuestion(userId: string, conversationId: string, id: string): Promise<void> {
  const found = await findMessage(db(), userId, conversationId, id);
  if (found?.role !== "user") throw new AppError("not_found", "There is no such message.");
}

function newMessage(role: "user" | "assistant", parts: ChatMessage["parts"], model?: string): ChatMessage {
  const status = role === "user" ? "done" : "running";
  const metadata = { status, createdAt: new Date().toISOString(), ...(model && { model }) } as const;
  return { id: v7(), role, parts, metadata };
}

function toRow({ id, role, parts, metadata }: ChatMessage) {
  return {
    id,
    role,
    status: metadata?.status ?? "done",
    parts: JSON.stringify(parts),
    body: bodyOf(parts),
    model: metadata?.model ? storable(metadata.model) : null,
    createdAt: new Date(metadata?.createdAt ?? Date.now()),
  };
}
