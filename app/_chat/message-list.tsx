"use client";

import { Button } from "#app/_components/button.tsx";
import { AssistantMessage } from "./assistant-message.tsx";
import type { ChatState } from "./chat-store.ts";
import { useEarlier } from "./use-earlier.ts";
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
