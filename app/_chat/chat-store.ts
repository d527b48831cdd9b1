// One conversation as a page holds it. The turn itself runs on the server; this only watches it, and may come and go.
import { ask } from "#app/_http/ask.ts";
import type { ChatMessage, ChatMetadata } from "#lib/chats/chat-message.ts";
import { followTurn } from "./follow-turn.ts";
import { MessageBuilder } from "./message-builder.ts";
import { Tabs } from "./tabs.ts";

export interface Conversation {
  id: string;
  title: string;
  messages: ChatMessage[];
  /** There are more before these. */
  earlier: boolean;
  running: { messageId: string } | null;
}

export interface ChatState {
  id: string | undefined;
  messages: ChatMessage[];
  earlier: boolean;
  /** The answer that is being given, if one is. */
  running: string | undefined;
  /** Between asking for a turn and the server's answer. */
  sending: boolean;
  stopping: boolean;
  connected: boolean;
  problem: string | undefined;
}

export interface Outgoing {
  text: string;
  files?: string[];
  model?: string;
  /** The message whose place it takes; what followed that one goes. */
  replaces?: string;
}

type Turn = { userMessage: ChatMessage; assistantMessage: ChatMessage };

// Pieces that arrive closer together than this are drawn at once.
const FRAME = 50;

export class ChatStore {
  state: ChatState;
  /** A turn has begun or ended. */
  onTurn: () => void = () => {};
  #listeners = new Set<() => void>();
  #leave: (() => void) | undefined;
  #tabs: Tabs | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #creating: Promise<string> | undefined;
  #loading: Promise<void> | undefined;
  #requests = 0;

  constructor(conversation?: Conversation) {
    this.state = {
      id: conversation?.id,
      messages: conversation?.messages ?? [],
      earlier: conversation?.earlier ?? false,
      running: conversation?.running?.messageId,
      sending: false,
      stopping: false,
      connected: true,
      problem: undefined,
    };
  }

  subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Starts to watch; returns what ends it. */
  open = () => {
    this.#tabs = new Tabs((id) => id === this.state.id && this.refresh());
    const seen = () => document.visibilityState === "visible" && !this.state.running && this.refresh();
    document.addEventListener("visibilitychange", seen);
    if (this.state.running) this.#follow(this.state.running);
    return () => {
      document.removeEventListener("visibilitychange", seen);
      this.#leave?.();
      this.#leave = undefined;
      this.#tabs?.close();
      clearTimeout(this.#timer);
    };
  };

  /** Brings the conversation into being, which a first message or a first file needs. */
  ensureId(): Promise<string> {
    if (this.state.id) return Promise.resolve(this.state.id);
    this.#creating ??= ask<{ id: string }>("/api/conversations", { method: "POST", body: {} })
      .then(({ id }) => {
        this.#set({ id });
        return id;
      })
      .finally(() => {
        this.#creating = undefined;
      });
    return this.#creating;
  }

  send({ replaces, ...outgoing }: Outgoing): Promise<boolean> {
    const { messages } = this.state;
    const remaining = replaces
      ? messages.slice(
          0,
          messages.findIndex(({ id }) => id === replaces),
        )
      : messages;
    return this.#begin([...remaining, draft(outgoing)], async (id) => {
      const body = { ...outgoing, replaces };
      return ask<Turn>(`/api/conversations/${id}/turns`, { method: "POST", body });
    });
  }

  regenerate(model?: string): Promise<boolean> {
    const { messages } = this.state;
    const remaining = messages.at(-1)?.role === "assistant" ? messages.slice(0, -1) : messages;
    return this.#begin(remaining, (id) =>
      ask<Turn>(`/api/conversations/${id}/regenerate`, { method: "POST", body: { model } }),
    );
  }

  async stop(): Promise<void> {
    if (!this.state.running || this.state.stopping) return;
    this.#set({ stopping: true });
    await this.#tell(() => ask(`/api/conversations/${this.state.id}/stop`, { method: "POST", body: {} }));
  }

  async refresh(): Promise<void> {
    if (!this.state.id || this.state.sending) return;
    const request = ++this.#requests;
    const latest = await ask<Conversation>(`/api/conversations/${this.state.id}`).catch(() => undefined);
    // An answer that was overtaken is older than what is shown.
    if (!latest || this.state.sending || request !== this.#requests) return;
    const running = latest.running?.messageId;
    if (running && running === this.state.running) return;
    this.#leave?.();
    this.#set({ ...this.#withEarlier(latest), running, stopping: false, connected: true });
    if (running) this.#follow(running);
  }

  /** What came before what is here; `onArrival` is told just before it is. */
  loadEarlier = (onArrival: () => void): Promise<void> => {
    const [first] = this.state.messages;
    if (!this.state.earlier || !first) return Promise.resolve();
    this.#loading ??= ask<Conversation>(`/api/conversations/${this.state.id}?before=${first.id}`)
      .then(({ messages, earlier }) => {
        // Another tab may have made the conversation a different one meanwhile.
        if (this.state.messages[0]?.id !== first.id) return;
        onArrival();
        this.#set({ messages: [...messages, ...this.state.messages], earlier });
      })
      .catch((error: Error) => this.#set({ problem: error.message }))
      .finally(() => {
        this.#loading = undefined;
      });
    return this.#loading;
  };

  /** The end as it is now, and what was loaded before it. Ids grow with time. */
  #withEarlier({ messages, earlier }: Conversation): Pick<ChatState, "messages" | "earlier"> {
    const [first] = messages;
    const older = earlier && first ? this.state.messages.filter(({ id }) => id < first.id) : [];
    return older.length > 0
      ? { messages: [...older, ...messages], earlier: this.state.earlier }
      : { messages, earlier };
  }

  setProblem(problem: string | undefined): void {
    this.#set({ problem });
  }

  async #begin(messages: ChatMessage[], start: (id: string) => Promise<Partial<Turn>>): Promise<boolean> {
    if (this.state.sending || this.state.running) return false;
    const before = this.state.messages;
    this.#set({ sending: true, problem: undefined, messages });
    const turn = await this.#tell(async () => start(await this.ensureId()));
    if (!turn?.assistantMessage) {
      this.#set({ sending: false, messages: before });
      if (turn) await this.refresh();
      return false;
    }
    const { userMessage, assistantMessage } = turn;
    const history =
      userMessage && messages.at(-1)?.role === "user" ? [...messages.slice(0, -1), userMessage] : messages;
    this.#set({ sending: false, messages: [...history, assistantMessage], running: assistantMessage.id });
    this.#follow(assistantMessage.id);
    this.#announce();
    return true;
  }

  #follow(messageId: string): void {
    const existing = this.state.messages.find(({ id }) => id === messageId);
    const builder = new MessageBuilder(existing ?? { id: messageId, role: "assistant", parts: [] });
    let begun = false;
    const draw = () => {
      this.#timer = undefined;
      const { message } = builder;
      this.#set({ messages: this.state.messages.map((each) => (each.id === messageId ? message : each)) });
    };
    const conversation = this.state.id as string;
    this.#leave = followTurn(conversation, messageId, {
      onChunk: (chunk) => {
        begun = true;
        builder.apply(chunk);
        this.#timer ??= setTimeout(draw, FRAME);
      },
      onEnd: (metadata: Partial<ChatMetadata>) => {
        clearTimeout(this.#timer);
        builder.setMetadata(metadata);
        if (begun) draw();
        this.#set({ running: undefined, stopping: false, connected: true });
        // It had ended before this page could follow it; the record has all of it.
        if (!begun) this.refresh();
        this.#announce();
      },
      onConnection: (connected) => connected !== this.state.connected && this.#set({ connected }),
      stillRunning: async () => {
        const latest = await ask<Conversation>(`/api/conversations/${conversation}`);
        if (latest.running?.messageId === messageId) return true;
        this.#set({ ...this.#withEarlier(latest), running: undefined, stopping: false, connected: true });
        this.#announce();
        return false;
      },
    });
  }

  async #tell<Answer>(work: () => Promise<Answer>): Promise<Answer | undefined> {
    try {
      return await work();
    } catch (error) {
      this.#set({ problem: (error as Error).message, stopping: false });
      return undefined;
    }
  }

  #announce(): void {
    this.onTurn();
    if (this.state.id) this.#tabs?.tell(this.state.id);
  }

  #set(change: Partial<ChatState>): void {
    this.state = { ...this.state, ...change };
    for (const listener of this.#listeners) listener();
  }
}

/** What the person wrote, until the server's own copy of it is here. */
function draft({ text, files = [] }: Outgoing): ChatMessage {
  return {
    id: "draft",
    role: "user",
    parts: [...files.map((path) => ({ type: "data-file" as const, data: { path } })), { type: "text", text }],
    metadata: { status: "done", createdAt: new Date().toISOString() },
  };
}
