"use client";

import clsx from "clsx";
import { Paperclip, Pencil } from "lucide-react";
import { memo } from "react";
import { IconButton } from "#app/_components/button.tsx";
import { IconCopy } from "#app/_components/copy-button.tsx";
import type { ChatMessage } from "#lib/chats/chat-message.ts";
import { programIn } from "#lib/chats/program-in.ts";
import { MessageEditor } from "./message-editor.tsx";
import { attachedFiles, messageText } from "./message-text.ts";

export const UserMessage = memo(function UserMessage({
  message,
  editing,
  editable,
  onEdit,
  onResend,
}: {
  message: ChatMessage;
  editing: boolean;
  editable: boolean;
  onEdit: (id: string | undefined) => void;
  onResend: (id: string, text: string) => void;
}) {
  const text = messageText(message);
  const files = attachedFiles(message);
  if (editing) {
    return (
      <MessageEditor
        text={text}
        files={files.length}
        onCancel={() => onEdit(undefined)}
        onSend={(changed) => onResend(message.id, changed)}
      />
    );
  }
  return (
    <article aria-label="You" className="group/message flex min-w-0 flex-col items-end gap-1">
      <h2 className="sr-only">You</h2>
      {files.length > 0 && (
        <ul className="flex max-w-full flex-wrap justify-end gap-1.5">
          {files.map((path) => (
            <li
              key={path}
              title={path}
              className="flex h-7 min-w-0 items-center gap-1.5 rounded-md border bg-surface px-2 text-xs"
            >
              <Paperclip className="size-3 shrink-0 text-muted" aria-hidden />
              <span className="truncate">{path.slice(path.lastIndexOf("/") + 1)}</span>
            </li>
          ))}
        </ul>
      )}
      {text && (
        <div
          className={clsx(
            "max-w-[85%] whitespace-pre-wrap break-words rounded-2xl rounded-br-md border bg-sunken px-3.5 py-2",
            programIn(text) && "font-mono text-[13px] leading-relaxed",
          )}
        >
          {text}
        </div>
      )}
      <div className="flex h-7 opacity-0 transition-opacity focus-within:opacity-100 group-hover/message:opacity-100 max-md:h-9 max-md:opacity-70">
        {text && <IconCopy text={text} label="Copy message" />}
        {editable && <IconButton icon={Pencil} label="Edit message" onClick={() => onEdit(message.id)} />}
      </div>
    </article>
  );
});
