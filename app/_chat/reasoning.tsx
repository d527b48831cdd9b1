"use client";

import { ChevronRight } from "lucide-react";
import { Markdown } from "#app/_markdown/markdown.tsx";

/** What a model thought on the way; folded, because the answer is what counts. */
export function Reasoning({ text, live }: { text: string; live: boolean }) {
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
