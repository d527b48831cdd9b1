// A person's conversations: the list, one of them, and what can be done to it.
import * as queries from "#db/queries/conversations.ts";
import { interruptRunningMessages, listLastMessages } from "#db/queries/messages.ts";
import { env } from "#env.ts";
import { AppError } from "../app-error.ts";
import { db } from "../database.ts";
import { MOST, requireBelow } from "../growth-bounds.ts";
import { log } from "../log.ts";
import type { ChatMessage } from "./chat-message.ts";
import { storable, toChatMessage } from "./stored-message.ts";
import { isRunning, turnOf } from "./turns.ts";

export interface ListedConversation {
  id: string;
  title: string;
  updatedAt: Date;
  running: boolean;
  /** Around the words that were searched for. */
  snippet?: string;
}

export interface OpenedConversation {
  id: string;
  title: string;
  /** The last of them. */
  messages: ChatMessage[];
  /** There are more before these. */
  earlier: boolean;
  running: { messageId: string } | null;
}

const SWEEP_MS = 3_600_000;
const PAGE = 40;
// What fills a screen or two; the rest is asked for by whoever scrolls up, in pieces that are drawn in no time.
const LAST_MESSAGES = 30;
const EARLIER_MESSAGES = 10;
const UNDO_MS = 24 * 3600 * 1000;

export async function listConversations(
  userId: string,
  { q, cursor }: { q?: string; cursor?: string } = {},
): Promise<{ conversations: ListedConversation[]; next: string | null }> {
  const page = { limit: PAGE + 1, ...(cursor && { after: readCursor(cursor) }) };
  const words = storable(q?.trim() ?? "");
  const rows: (queries.Conversation & { found?: string | null })[] = words
    ? await queries.searchConversations(db(), userId, words, page)
    : await queries.listConversations(db(), userId, page);
  const shown = rows.slice(0, PAGE);
  const last = rows.length > PAGE ? shown.at(-1) : undefined;
  return {
    conversations: shown.map(({ found, ...row }) => ({
      ...row,
      running: isRunning(row.id),
      ...(found && { snippet: around(found, words) }),
    })),
    next: last ? writeCursor(last) : null,
  };
}

export async function createConversation(userId: string): Promise<string> {
  const before = await queries.measureConversations(db(), userId);
  if (before.conversations >= MOST.conversations) {
    await queries.dropUnused(db(), userId);
    requireBelow("conversations", (await queries.measureConversations(db(), userId)).conversations);
  }
  return queries.insertConversation(db(), userId);
}

/** `before` is the message that the page above begins with; `limit` is how many of them there are to be. */
export async function openConversation(
  userId: string,
  id: string,
  { before, limit = before ? EARLIER_MESSAGES : LAST_MESSAGES }: { before?: string; limit?: number } = {},
): Promise<OpenedConversation> {
  const conversation = await requireConversation(userId, id);
  // Asked for before the rows: a turn that ends between the two is then complete in them.
  const turn = turnOf(userId, id);
  const page = { limit: limit + 1, ...(before && { before }) };
  const rows = await listLastMessages(db(), userId, id, page);
  const messages = rows.slice(-limit).map(toChatMessage);
  const running = turn && messages.some((message) => message.id === turn.messageId) ? turn : undefined;
  return {
    id,
    title: conversation.title,
    earlier: rows.length > limit,
    messages: messages.map((message) => (message.id === running?.messageId ? running.message() : message)),
    running: running && turnOf(userId, id) === running ? { messageId: running.messageId } : null,
  };
}

export async function renameConversation(userId: string, id: string, title: string): Promise<void> {
  if (!(await queries.renameConversation(db(), userId, id, storable(title)))) throw unknown();
}

/** Gone from every list; can be brought back for a day. A turn that runs is stopped. */
export async function deleteConversation(userId: string, id: string): Promise<void> {
  if (!(await queries.deleteConversation(db(), userId, id))) throw unknown();
  turnOf(userId, id)?.stop("stopped");
}

export async function restoreConversation(userId: string, id: string): Promise<void> {
  if (!(await queries.restoreConversation(db(), userId, id))) throw unknown();
}

/** Before something is said: conversations have as much room as runs have. What was deleted makes room first. */
export async function requireRoomToSay(userId: string, mostBytes = env().COVE_HISTORY_SIZE): Promise<void> {
  if ((await queries.measureConversations(db(), userId)).bytes < mostBytes) return;
  await queries.dropUnused(db(), userId);
  if ((await queries.measureConversations(db(), userId)).bytes < mostBytes) return;
  const size = `${Math.round(mostBytes / 2 ** 20).toLocaleString("en")} MB`;
  throw new AppError(
    "conflict",
    `Your conversations take ${size}, which is all they may. Delete some of them first.`,
  );
}

async function sweepConversations(): Promise<void> {
  await queries.sweepConversations(db(), new Date(Date.now() - UNDO_MS));
}

export async function requireConversation(userId: string, id: string): Promise<queries.Conversation> {
  const found = await queries.findConversation(db(), userId, id);
  if (!found) throw unknown();
  return found;
}

function unknown(): AppError {
  return new AppError("not_found", "There is no such conversation.");
}

function around(text: string, words: string): string {
  const at = Math.max(0, text.toLowerCase().indexOf(words.toLowerCase()));
  const start = Math.max(0, at - 40);
  const piece = text.slice(start, at + words.length + 80).replace(/\s+/g, " ");
  return `${start > 0 ? "…" : ""}${piece.trim().toWellFormed()}`;
}

function writeCursor({ updatedAt, id }: queries.After): string {
  return Buffer.from(`${updatedAt.getTime()} ${id}`).toString("base64url");
}

function readCursor(cursor: string): queries.After {
  const [time, id] = Buffer.from(cursor, "base64url").toString().split(" ");
  if (!/^\d{1,15}$/.test(time ?? "") || !/^[0-9a-f-]{36}$/.test(id ?? "")) {
    throw new AppError("bad_request", "This is not a cursor of this list.", { field: "cursor" });
  }
  return { updatedAt: new Date(Number(time)), id: id ?? "" };
}

/** What a server that starts does for them: nobody gives the answers of the last one any more. */
export async function openChats(): Promise<void> {
  await interruptRunningMessages(db());
  const sweep = () =>
    sweepConversations().catch((err) => log().warn({ err }, "deleted conversations are swept later"));
  await sweep();
  setInterval(sweep, SWEEP_MS).unref();
}
