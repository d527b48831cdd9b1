"use client";

import { Button } from "#app/_components/button.tsx";
import { AssistantMessage } from "./assistant-message.tsx";
import type { ChatState } from "./chat-store.ts";
import { useEarlier } from "./use-earlier.ts";
import { UserMessage } from "./user-message.tsx";

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
  const { hidden, earlier, showMore } = useEarlier(messages.length);

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
