// Somebody who is signed in on the web, without a browser: what pages do, over plain HTTP.
import { randomUUID } from "node:crypto";
import type { UIMessageChunk } from "ai";
import type { ChatMessage, ChatMetadata } from "#lib/chats/chat-message.ts";
import type { Cove } from "./cove.ts";
import { addPerson } from "./people.ts";
import { sessionCookie } from "./session-cookie.ts";

// biome-ignore lint/suspicious/noExplicitAny: what a server answers is for the test to look at, field by field.
type Body = any;

export interface Heard {
  chunks: (UIMessageChunk & { seq: number })[];
  end?: ChatMetadata;
}

export type WebPerson = ReturnType<typeof personAt>;

export async function newWebPerson({ url, dataDir }: Pick<Cove, "url" | "dataDir">): Promise<WebPerson> {
  const email = `${randomUUID()}@example.com`;
  const password = "a long password";
  const id = await addPerson(dataDir, { email, name: "Somebody", password });
  return personAt(url, { id, email, cookie: await sessionCookie(url, email, password) });
}

/** The same person at another address: a Cove that was started again. */
export function personAt(url: string, { id, email, cookie }: { id: string; email: string; cookie: string }) {
  function send(path: string, init: RequestInit = {}): Promise<Response> {
    return fetch(`${url}${path}`, { ...init, headers: { cookie, origin: url, ...init.headers } });
  }

  async function call(method: string, path: string, body?: unknown): Promise<{ status: number; body: Body }> {
    const response = await send(path, {
      method,
      ...(body !== undefined && {
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      }),
    });
    return { status: response.status, body: await response.json() };
  }

  /** Follows an answer; `until` leaves early. */
  async function follow(
    chat: string,
    message: string,
    { after = 0, until }: { after?: number; until?: (heard: Heard) => boolean } = {},
  ): Promise<Heard> {
    const leave = new AbortController();
    const path = `/api/conversations/${chat}/stream?message=${message}&after=${after}`;
    const response = await send(path, { signal: leave.signal });
    const heard: Heard = { chunks: [] };
    try {
      for await (const event of events(response)) {
        if (event.event === "end") heard.end = JSON.parse(event.data ?? "null");
        else heard.chunks.push({ ...JSON.parse(event.data ?? "null"), seq: Number(event.id) });
        if (until?.(heard)) leave.abort();
      }
    } catch (error) {
      if (!leave.signal.aborted) throw error;
    }
    return heard;
  }

  async function open(chat: string): Promise<{ title: string; messages: ChatMessage[]; running: Body }> {
    return (await call("GET", `/api/conversations/${chat}`)).body;
  }

  async function newChat(): Promise<string> {
    return (await call("POST", "/api/conversations", {})).body.id;
  }

  /** Sends a message and waits for the whole answer. */
  async function ask(chat: string, text: string, more: object = {}) {
    const { status, body } = await call("POST", `/api/conversations/${chat}/turns`, { text, ...more });
    if (status !== 202) throw new Error(`${status}: ${JSON.stringify(body)}`);
    const heard = await follow(chat, body.assistantMessage.id);
    const { messages } = await open(chat);
    const answer = messages.find(({ id: one }) => one === body.assistantMessage.id);
    if (!answer) throw new Error("The answer is not in the conversation.");
    return { ...heard, answer, question: body.userMessage as ChatMessage };
  }

  return { id, email, cookie, send, call, follow, open, newChat, ask };
}

export function textOf({ parts }: ChatMessage): string {
  return parts.map((part) => (part.type === "text" ? part.text : "")).join("");
}

/** Server-sent events as their fields. */
export async function* events(response: Response): AsyncGenerator<Record<string, string>> {
  let rest = "";
  const decoder = new TextDecoder();
  for await (const bytes of response.body ?? []) {
    const blocks = (rest + decoder.decode(bytes, { stream: true })).split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const fields = block.split("\n").flatMap((line) => {
        const at = line.indexOf(": ");
        return at > 0 ? [[line.slice(0, at), line.slice(at + 2)]] : [];
      });
      if (fields.length > 0) yield Object.fromEntries(fields);
    }
  }
}
