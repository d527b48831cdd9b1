"use client";

import type { DynamicToolUIPart } from "ai";
import clsx from "clsx";
import {
  ChevronRight,
  File,
  FileDown,
  FilePen,
  type LucideIcon,
  Package,
  ShieldAlert,
  SquareTerminal,
  Wrench,
} from "lucide-react";
import { memo, useId, useState } from "react";
import { Code } from "#app/_code/code.tsx";
import { IconCopy } from "#app/_components/copy-button.tsx";
import { Duration } from "#app/_results/duration.tsx";
import { RichResults } from "#app/_results/rich-results.tsx";
import { SkippedNote } from "#app/_results/skipped-note.tsx";
import { StatusBadge } from "#app/_results/status-badge.tsx";
import { Terminal } from "#app/_results/terminal.tsx";
import type { IconName } from "#mcp/tools/presentation.ts";
import type { ToolOutcome } from "./tool-outcome.ts";
import { toolOutcome } from "./tool-outcome.ts";
import { usePresentations } from "./tool-presentations.tsx";
import { toolView } from "./tool-view.ts";

const ICONS: Record<IconName, LucideIcon> = {
  terminal: SquareTerminal,
  package: Package,
  file: File,
  "file-pen": FilePen,
  wrench: Wrench,
};

/** One tool call: what it runs, what it prints while it runs, and what came of it. */
export const ToolCard = memo(function ToolCard({ part, ended }: { part: DynamicToolUIPart; ended: boolean }) {
  const view = toolView(usePresentations(), part.toolName, part.input);
  const outcome = toolOutcome(part, ended);
  const [chosen, setChosen] = useState<boolean>();
  const open = chosen ?? (view.major || outcome.live);
  const body = useId();
  const Icon = ICONS[view.icon];
  const name = [view.title, view.subject].filter(Boolean).join(" ");
  return (
    <section aria-label={name} className="my-3 min-w-0 overflow-hidden rounded-lg border bg-surface">
      <div className="flex h-9 items-center gap-1 pr-1">
        <button
          type="button"
          aria-expanded={open}
          aria-controls={body}
          onClick={() => setChosen(!open)}
          className="flex h-full min-w-0 flex-1 items-center gap-2 pl-2.5 text-left text-[13px]"
        >
          <ChevronRight
            className={clsx("size-3.5 shrink-0 text-muted transition-transform", open && "rotate-90")}
            aria-hidden
          />
          <Icon className="size-3.5 shrink-0 text-muted" aria-hidden />
          <span className="shrink-0 font-medium">{view.title}</span>
          <span className="min-w-0 flex-1 truncate font-mono text-muted text-xs">
            {view.subject ?? (open ? "" : firstLine(view.code))}
          </span>
        </button>
        <span className="flex shrink-0 items-center gap-2 px-1 text-xs">
          {outcome.durationMs !== undefined && (
            <Duration ms={outcome.durationMs} className="text-muted tabular-nums max-sm:hidden" />
          )}
          {outcome.status === "writing" ? (
            <span className="animate-pulse text-muted">Writing…</span>
          ) : (
            <StatusBadge status={outcome.status} exitCode={outcome.exitCode} />
          )}
        </span>
        {view.code && <IconCopy text={view.code} label="Copy code" />}
      </div>
      <div id={body} hidden={!open}>
        {open && view.code && (
          <Code code={view.code} language={view.language} className="max-h-80 border-t" />
        )}
        {open && (
          <Terminal
            stdout={outcome.stdout || outcome.text}
            stderr={outcome.stderr}
            live={outcome.live && outcome.status === "running"}
            truncated={outcome.truncated}
            className="border-t"
          />
        )}
      </div>
      {outcome.results.length > 0 && (
        <div className="border-t p-3">
          <RichResults results={outcome.results} />
        </div>
      )}
      <ToolAftermath outcome={outcome} />
    </section>
  );
});

function firstLine(code = ""): string {
  return code.trimStart().split("\n", 1)[0] ?? "";
}

/** What a run leaves behind: files one can take away, those that weren't kept, and what the network policy refused. */
function ToolAftermath({ outcome: { artifacts, skipped, denied } }: { outcome: ToolOutcome }) {
  return (
    <>
      {artifacts.length > 0 && (
        <ul className="flex flex-wrap gap-1.5 border-t px-3 py-2">
          {artifacts.map(({ id, path }) => {
            const name = path.slice(path.lastIndexOf("/") + 1);
            return (
              <li key={id}>
                <a
                  href={`/artifacts/${encodeURIComponent(id)}/${encodeURIComponent(name)}`}
                  target="_blank"
                  rel="noopener"
                  className="flex h-7 items-center gap-1.5 rounded-md border bg-canvas px-2 text-xs hover:bg-hover"
                >
                  <FileDown className="size-3.5 text-muted" aria-hidden />
                  {name}
                </a>
              </li>
            );
          })}
        </ul>
      )}
      <SkippedNote sentence={skipped} className="border-t px-3 py-2" />
      {denied.map((sentence) => (
        <p key={sentence} className="flex items-start gap-2 border-t px-3 py-2 text-muted text-xs">
          <ShieldAlert className="mt-px size-3.5 shrink-0 text-danger" aria-hidden />
          {sentence}
        </p>
      ))}
    </>
  );
}
