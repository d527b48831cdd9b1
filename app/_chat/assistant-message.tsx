"use client";

import { ChevronRight } from "lucide-react";
import { memo } from "react";
import { Markdown } from "#app/_markdown/markdown.tsx";
import type { ChatMessage } from "#lib/chats/chat-message.ts";
import { AnswerFooter } from "./answer-footer.tsx";
import { ToolCard } from "./tool-card.tsx";

type Part = ChatMessage["parts"][number];

/** An answer: words, thoughts and tool calls in the order they came. */
export const AssistantMessage = memo(function AssistantMessage({
  message,
  running,
  last,
  onRegenerate,
}: {
  message: ChatMessage;
  running: boolean;
  last: boolean;
  onRegenerate: () => void;
}) {
  return (
    <article aria-label="Cove" aria-busy={running} className="group/message min-w-0">
      <h2 className="sr-only">Cove</h2>
      {message.parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts only ever grow at the end.
        <AnswerPart key={index} part={part} running={running} />
      ))}
      {running && isWaiting(message.parts) && <Waiting />}
      {!running && <AnswerFooter message={message} last={last} onRegenerate={onRegenerate} />}
    </article>
  );
});

const AnswerPart = memo(function AnswerPart({ part, running }: { part: Part; running: boolean }) {
  switch (part.type) {
    case "text":
      return part.text.trim() ? (
        <Markdown text={part.text} streaming={running && part.state !== "done"} />
      ) : null;
    case "reasoning":
      return part.text.trim() ? <Reasoning text={part.text} live={running && part.state !== "done"} /> : null;
    case "dynamic-tool":
      return <ToolCard part={part} ended={!running} />;
    default:
      return null;
  }
});

/** Nothing on the page moves by itself: the model is thinking. */
function isWaiting(parts: Part[]): boolean {
  const part = parts.findLast(({ type }) => type !== "step-start");
  if (!part) return true;
  if (part.type === "text" || part.type === "reasoning") return part.state === "done" || !part.text.trim();
  return (
    part.type === "dynamic-tool" &&
    (part.state === "output-error" || (part.state === "output-available" && !part.preliminary))
  );
}

function Waiting() {
  return (
    <p className="flex h-7 items-center gap-2 text-muted text-sm">
      <span aria-hidden className="size-2 animate-pulse rounded-full bg-accent" />
      Thinking…
    </p>
  );
}

/** What a model thought on the way; folded, because the answer is what counts. */
function Reasoning({ text, live }: { text: string; live: boolean }) {
  return (
    <details className="group/reasoning my-2 text-muted text-sm">
      <summary className="flex w-fit cursor-pointer list-none items-center gap-1.5 rounded hover:text-ink [&::-webkit-details-marker]:hidden">
        <ChevronRight className="size-3.5 transition-transform group-open/reasoning:rotate-90" aria-hidden />
        {live ? "Thinking…" : "Thoughts"}
      </summary>
      <Markdown text={text} streaming={live} className="mt-1.5 border-l-2 pl-3" />
    </details>
  );
}
