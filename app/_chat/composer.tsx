"use client";

import clsx from "clsx";
import { ArrowUp, Paperclip, Square } from "lucide-react";
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import { IconButton } from "#app/_components/button.tsx";
import { useHydrated } from "#app/_components/use-hydrated.ts";
import { programIn } from "#lib/chats/program-in.ts";
import { AttachmentChips } from "./attachment-chips.tsx";
import type { useAttachments } from "./use-attachments.ts";

/** Where one writes. Enter sends, Shift-Enter makes a line, Escape stops, ↑ in an empty field edits the last message. */
export function Composer({
  attachments,
  running,
  stopping,
  picker,
  field,
  draft,
  onSend,
  onStop,
  onEditLast,
}: {
  attachments: ReturnType<typeof useAttachments>;
  running: boolean;
  stopping: boolean;
  picker: ReactNode;
  field: RefObject<HTMLTextAreaElement | null>;
  /** What is written already. */
  draft: string;
  /** False when it was not sent; what was written stays then. */
  onSend: (text: string) => Promise<boolean>;
  onStop: () => void;
  onEditLast: () => void;
}) {
  const hydrated = useHydrated();
  const [text, setText] = useState(draft);
  const chooser = useRef<HTMLInputElement>(null);
  const language = programIn(text)?.language;
  const hasMessage = text.trim() !== "" || attachments.paths.length > 0;
  const sendable = hydrated && !running && !attachments.busy && hasMessage;

  useEffect(() => {
    // A phone would cover half of the page with its keyboard.
    if (hydrated && matchMedia("(hover: hover)").matches) field.current?.focus();
  }, [hydrated, field]);

  const send = async () => {
    if (!sendable) return;
    const written = text;
    setText("");
    if (await onSend(written.trim())) attachments.clear();
    else setText((now) => now || written);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      send();
    } else if (event.key === "ArrowUp" && text === "" && !running) {
      event.preventDefault();
      onEditLast();
    }
  };

  return (
    <form
      aria-label="New message"
      className="rounded-2xl border border-line-strong bg-surface shadow-xs transition-colors focus-within:border-accent"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <AttachmentChips attachments={attachments.attachments} onRemove={attachments.remove} />
      <textarea
        ref={field}
        aria-label="Message"
        placeholder="Ask for something, or run code with ! or >>>"
        rows={1}
        value={text}
        disabled={!hydrated}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
        onPaste={(event) => {
          const files = [...event.clipboardData.files];
          if (files.length === 0) return;
          event.preventDefault();
          attachments.add(files);
        }}
        className={clsx(
          "field-sizing-content block max-h-[40dvh] min-h-11 w-full resize-none bg-transparent px-4 pt-3 pb-1 outline-none",
          language && "font-mono text-[13px]",
        )}
      />
      <div className="flex items-center gap-1 px-2 pb-2">
        <input
          ref={chooser}
          type="file"
          multiple
          hidden
          aria-label="Files to attach"
          onChange={(event) => {
            attachments.add([...(event.target.files ?? [])]);
            event.target.value = "";
          }}
        />
        <IconButton
          icon={Paperclip}
          label="Attach files"
          disabled={!hydrated}
          onClick={() => chooser.current?.click()}
        />
        {picker}
        <span className="min-w-0 flex-1 truncate px-1 text-right text-muted text-xs">
          {language && `Runs as ${language === "bash" ? "Bash" : "Python"}, without a model`}
        </span>
        {running ? (
          <button
            type="button"
            aria-label="Stop"
            title="Stop (Escape)"
            disabled={stopping}
            onClick={onStop}
            className="grid size-8 place-items-center rounded-full bg-ink text-canvas disabled:opacity-50 max-md:size-9"
          >
            <Square className="size-3 fill-current" aria-hidden />
          </button>
        ) : (
          <button
            type="submit"
            aria-label="Send"
            title="Send (Enter)"
            disabled={!sendable}
            className="grid size-8 place-items-center rounded-full bg-accent text-on-accent transition-colors hover:bg-accent-hover disabled:bg-hover disabled:text-muted max-md:size-9"
          >
            <ArrowUp className="size-4" aria-hidden />
          </button>
        )}
      </div>
    </form>
  );
}
