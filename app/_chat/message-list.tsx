"use client";

import { useEffect, useRef, useState } from "react";
import { Button } from "#app/_components/button.tsx";
import { AssistantMessage } from "./assistant-message.tsx";
import type { ChatState } from "./chat-store.ts";
import { UserMessage } from "./user-message.tsx";

// A long conversation is drawn from its end; what came before follows as one scrolls up.
const AT_ONCE = 30;

export function MessageList({
  state: { messages, running, sending },
  editing,
  onEdit,
  onResend,
  onRegenerate,
}: {
  state: ChatState;
  editing: string | undefined;
  onEdit: (id: string | undefined) => void;
  onResend: (id: string, text: string) => void;
  onRegenerate: () => void;
}) {
  const [shown, setShown] = useState(AT_ONCE);
  const earlier = useRef<HTMLButtonElement>(null);
  const hidden = Math.max(0, messages.length - shown);
  const showMore = () => setShown((count) => count + AT_ONCE);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the button moves when more is shown, and may be in sight again.
  useEffect(() => {
    if (!earlier.current) return;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && showMore(), {
      rootMargin: "800px 0px 0px",
    });
    observer.observe(earlier.current);
    return () => observer.disconnect();
  }, [shown, hidden > 0]);

  return (
    <div className="grid grid-cols-1 gap-5">
      {hidden > 0 && (
        <Button ref={earlier} look="quiet" size="small" className="justify-self-center" onClick={showMore}>
          Show {hidden.toLocaleString("en")} earlier messages
        </Button>
      )}
      {messages
        .slice(hidden)
        .map((message, index, drawn) =>
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
              last={index === drawn.length - 1 && !sending}
              onRegenerate={onRegenerate}
            />
          ),
        )}
    </div>
  );
}
