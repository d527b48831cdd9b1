// Follows a running turn over server-sent events and takes up where it broke off.
import type { UIMessageChunk } from "ai";
import type { ChatMetadata } from "#lib/chats/chat-message.ts";

interface Listener {
  onChunk(chunk: UIMessageChunk<ChatMetadata>): void;
  onEnd(metadata: Partial<ChatMetadata>): void;
  /** The connection broke, or is back. */
  onConnection(connected: boolean): void;
  /** Asked after a failed attempt; false ends it. */
  stillRunning(): Promise<boolean>;
}

const FIRST_PAUSE = 300;
const LONGEST_PAUSE = 8_000;

/** Returns what ends the following; the turn itself goes on. */
export function followTurn(conversationId: string, messageId: string, listener: Listener): () => void {
  let last = 0;
  let pause = FIRST_PAUSE;
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let over = false;

  const end = () => {
    over = true;
    clearTimeout(timer);
    source?.close();
  };

  const open = () => {
    const query = new URLSearchParams({ message: messageId, after: String(last) });
    source = new EventSource(`/api/conversations/${conversationId}/stream?${query}`);
    source.onopen = () => listener.onConnection(true);
    source.onmessage = (event) => {
      pause = FIRST_PAUSE;
      // A re-attached stream may begin with what is known already.
      const seq = Number(event.lastEventId);
      if (seq <= last) return;
      last = seq;
      listener.onChunk(JSON.parse(event.data));
    };
    source.addEventListener("end", (event) => {
      end();
      listener.onEnd(JSON.parse(event.data || "{}"));
    });
    source.onerror = () => {
      source?.close();
      listener.onConnection(false);
      timer = setTimeout(retry, pause);
      pause = Math.min(pause * 2, LONGEST_PAUSE);
    };
  };

  const retry = async () => {
    const running = await listener.stillRunning().catch(() => true);
    if (over) return;
    if (running) open();
    else end();
  };

  open();
  return end;
}
