"use client";

import { useEffect, useRef } from "react";
import { Button } from "#app/_components/button.tsx";

/** A message being rewritten in its place. What followed it goes when it is sent again. */
export function MessageEditor({
  text,
  files,
  onCancel,
  onSend,
}: {
  text: string;
  /** How many came with it: they stay, and a message that has some needs no words. */
  files: number;
  onCancel: () => void;
  onSend: (text: string) => void;
}) {
  const area = useRef<HTMLTextAreaElement>(null);

  useEffect(() => {
    area.current?.focus();
    area.current?.setSelectionRange(text.length, text.length);
  }, [text]);

  const send = () => {
    const changed = area.current?.value.trim() ?? "";
    if (changed || files > 0) onSend(changed);
  };

  return (
    <form
      aria-label="Edit message"
      className="grid gap-2 rounded-xl border border-accent bg-surface p-2.5"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <textarea
        ref={area}
        aria-label="Edited message"
        defaultValue={text}
        className="field-sizing-content max-h-80 min-h-16 w-full resize-none bg-transparent px-1 outline-none"
        onKeyDown={(event) => {
          if (event.key === "Escape") {
            event.stopPropagation();
            onCancel();
          } else if (event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing) {
            event.preventDefault();
            send();
          }
        }}
      />
      <div className="flex items-center gap-2">
        <span className="flex-1 px-1 text-muted text-xs">
          What followed this message is replaced{files > 0 ? "; its files stay" : ""}.
        </span>
        <Button size="small" look="quiet" onClick={onCancel}>
          Cancel
        </Button>
        <Button size="small" look="primary" type="submit">
          Send again
        </Button>
      </div>
    </form>
  );
}
