"use client";

import { ArrowDown } from "lucide-react";
import { useRouter } from "next/navigation";
import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { Notice } from "#app/_components/notice.tsx";
import { conversations } from "#app/_conversations/conversations.ts";
import { programIn } from "#lib/chats/program-in.ts";
import { Announcer } from "./announcer.tsx";
import { ChatHeader } from "./chat-header.tsx";
import { ChatStore, type Conversation } from "./chat-store.ts";
import { Composer } from "./composer.tsx";
import { DropZone } from "./drop-zone.tsx";
import { MessageList } from "./message-list.tsx";
import { attachedFiles } from "./message-text.ts";
import { ModelPicker, useModels } from "./model-picker.tsx";
import { NoModel, NoModelLine } from "./no-model.tsx";
import { Suggestions } from "./suggestions.tsx";
import { useAttachments } from "./use-attachments.ts";
import { useStuckToBottom } from "./use-stuck-to-bottom.ts";

/** A conversation, or the place where one begins. */
export function Chat({ conversation, draft = "" }: { conversation?: Conversation; draft?: string }) {
  const [store] = useState(() => new ChatStore(conversation));
  const state = useSyncExternalStore(
    store.subscribe,
    () => store.state,
    () => store.state,
  );
  const router = useRouter();
  const field = useRef<HTMLTextAreaElement>(null);
  const [editing, setEditing] = useState<string>();
  const { models, model, choose } = useModels();
  const attachments = useAttachments(useCallback(() => store.ensureId(), [store]));
  const { box, content, away, toBottom } = useStuckToBottom();
  const running = Boolean(state.running) || state.sending;
  const withoutModel = models !== undefined && models.models.length === 0;
  const empty = state.messages.length === 0;

  useEffect(() => {
    let later: ReturnType<typeof setTimeout> | undefined;
    store.onTurn = () => {
      conversations.refresh();
      // A better title takes the model a moment longer than the answer.
      clearTimeout(later);
      later = setTimeout(() => conversations.refresh(), 4000);
    };
    const close = store.open();
    return () => {
      clearTimeout(later);
      close();
    };
  }, [store]);

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key === "Escape" && !event.defaultPrevented) store.stop();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [store]);

  const send = async (text: string, replaces?: string) => {
    if (withoutModel && !programIn(text)) {
      store.setProblem(
        "No model is connected, so only code can be run: start with ! or >>>, or connect a model.",
      );
      return false;
    }
    toBottom();
    const replaced = store.state.messages.find(({ id }) => id === replaces);
    // What is written anew still goes with the files it came with.
    const files = replaced ? attachedFiles(replaced) : attachments.paths;
    const sent = await store.send({ text, model, replaces, files });
    // The page of the conversation takes over where this one is; it finds the turn running.
    if (sent && !conversation) router.replace(`/chat/${store.state.id}`);
    return sent;
  };

  const resend = useRef(send);
  resend.current = send;
  const onResend = useCallback((id: string, text: string) => {
    setEditing(undefined);
    resend.current(text, id);
  }, []);
  const onRegenerate = useCallback(() => store.regenerate(model), [store, model]);

  const editLast = () => setEditing(state.messages.findLast(({ role }) => role === "user")?.id);
  const onEdit = useCallback((id: string | undefined) => {
    setEditing(id);
    if (!id) field.current?.focus();
  }, []);

  return (
    <div className="flex h-[calc(100dvh-3rem)] flex-col md:h-dvh">
      <ChatHeader id={conversation?.id} title={conversation?.title} />
      <DropZone onFiles={attachments.add}>
        <div
          ref={box}
          data-scroller
          className="relative min-h-0 flex-1 overflow-y-auto overscroll-contain [overflow-anchor:none]"
        >
          <div ref={content} className="mx-auto flex min-h-full w-full max-w-3xl flex-col px-4 py-6 md:px-6">
            {empty ? (
              <div className="m-auto grid w-full gap-5 py-6">
                <p className="text-balance text-center font-semibold text-2xl tracking-tight">
                  What shall we work out?
                </p>
                {withoutModel && <NoModel reason={models.reason} />}
                <Suggestions model={models && !withoutModel} onChoose={send} />
              </div>
            ) : (
              <MessageList
                state={state}
                editing={editing}
                onEarlier={store.loadEarlier}
                onEdit={onEdit}
                onResend={onResend}
                onRegenerate={onRegenerate}
              />
            )}
          </div>
        </div>
        <div className="relative mx-auto grid w-full max-w-3xl gap-2 px-3 pb-3 md:px-6 md:pb-5">
          {away && (
            <button
              type="button"
              aria-label="Jump to the latest message"
              onClick={toBottom}
              className="absolute -top-10 left-1/2 grid size-8 -translate-x-1/2 place-items-center rounded-full border bg-surface shadow-md hover:bg-hover"
            >
              <ArrowDown className="size-4" aria-hidden />
            </button>
          )}
          {!state.connected && (
            <p role="status" className="text-center text-muted text-xs">
              The connection was lost. The answer goes on; trying to reach it again…
            </p>
          )}
          {state.problem && <Notice kind="problem">{state.problem}</Notice>}
          <Composer
            attachments={attachments}
            running={running}
            stopping={state.stopping || !state.running}
            field={field}
            draft={draft}
            picker={<ModelPicker models={models} model={model} onChoose={choose} />}
            onSend={send}
            onStop={() => store.stop()}
            onEditLast={editLast}
          />
          {withoutModel && !empty && <NoModelLine />}
        </div>
      </DropZone>
      <Announcer
        message={state.messages.findLast(({ role }) => role === "assistant")}
        running={Boolean(state.running)}
      />
    </div>
  );
}
