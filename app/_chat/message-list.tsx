"use client";

import { useCallback, useEffect, useLayoutEffect, useRef } from "react";
import { Button } from "#app/_components/button.tsx";
import { AssistantMessage } from "./assistant-message.tsx";
import type { ChatState } from "./chat-store.ts";
import { UserMessage } from "./user-message.tsx";

export function MessageList({
  state: { messages, earlier, running, sending },
  editing,
  onEarlier,
  onEdit,
  onResend,
  onRegenerate,
}: {
  state: ChatState;
  editing: string | undefined;
  onEarlier: (onArrival: () => void) => Promise<void>;
  onEdit: (id: string | undefined) => void;
  onResend: (id: string, text: string) => void;
  onRegenerate: () => void;
}) {
  const { button, showMore } = useEarlier(messages[0]?.id, onEarlier);

  return (
    <div className="grid grid-cols-1 gap-5">
      {earlier && (
        <Button ref={button} look="quiet" size="small" className="justify-self-center" onClick={showMore}>
          Show earlier messages
        </Button>
      )}
      {messages.map((message, index) =>
        message.role === "user" ? (
          <UserMessage
            key={message.id}
            message={message}
            editing={editing === message.id}
            editable={!running && !sending}
            onEdit={onEdit}
            onResend={onResend}
          />
        ) : (
          <AssistantMessage
            key={message.id}
            message={message}
            running={running === message.id}
            last={index === messages.length - 1 && !sending}
            onRegenerate={onRegenerate}
          />
        ),
      )}
    </div>
  );
}

/**
 * A conversation comes from its end; what was said before follows as one scrolls up. `first` is the first message that is
 * here; `load` calls back the moment before there are more.
 */
function useEarlier(first: string | undefined, load: (onArrival: () => void) => Promise<void>) {
  const button = useRef<HTMLButtonElement>(null);
  const before = useRef<{ scroller: Element; height: number; top: number }>(undefined);

  const showMore = useCallback(() => {
    const scroller = button.current?.closest("[data-scroller]");
    return load(() => {
      if (scroller) before.current = { scroller, height: scroller.scrollHeight, top: scroller.scrollTop };
    });
  }, [load]);

  // What one reads stays where it is when something appears above it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is another first message that moves things.
  useLayoutEffect(() => {
    if (!before.current) return;
    const { scroller, height, top } = before.current;
    before.current = undefined;
    scroller.scrollTop = top + scroller.scrollHeight - height;
  }, [first]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the button moves when more is shown, and may be in sight again.
  useEffect(() => {
    if (!button.current) return;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && showMore(), {
      root: button.current.closest("[data-scroller]"),
      rootMargin: "1600px 0px 0px",
    });
    observer.observe(button.current);
    return () => observer.disconnect();
  }, [first, showMore]);

  return { button, showMore };
}
