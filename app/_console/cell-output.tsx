"use client";

import clsx from "clsx";
import { Info } from "lucide-react";
import dynamic from "next/dynamic";
import { memo } from "react";
import { Notice } from "#app/_components/notice.tsx";
import { SkippedNote } from "#app/_results/skipped-note.tsx";
import { Terminal } from "#app/_results/terminal.tsx";
import { isLive, type Run } from "./run.ts";
import { useRun } from "./use-run.ts";

// Markdown, formulas and coloured code weigh more than the whole console: they come after it.
const loadResults = () => import("#app/_results/rich-results.tsx").then(({ RichResults }) => RichResults);
const RichResults = dynamic(loadResults);

/** Has it there before the first result is. */
export const prepareOutput = () => void loadResults().catch(() => undefined);

/** What became of a cell: what it printed, what it gave back, and what to know about it. */
export const CellOutput = memo(function CellOutput({ cellId, label }: { cellId: string; label: string }) {
  const run = useRun(cellId);
  if (!run) return null;
  const shown = run.previous ?? run;
  if (!hasSomething(shown)) return null;
  return (
    <section
      aria-label={`Output of ${label}`}
      aria-busy={isLive(run)}
      className={clsx(
        "grid min-w-0 grid-cols-1 overflow-hidden rounded-b-lg border-t",
        run.previous && "opacity-50",
      )}
    >
      <Shown run={shown} />
    </section>
  );
});

function Shown({ run }: { run: Run }) {
  const { stdout, stderr, results, restarted, deniedHosts, skipped, missing, hint, problem, truncated } = run;
  const live = isLive(run);
  return (
    <>
      {restarted && (
        <p className="flex items-center gap-2 border-b px-3 py-1.5 text-muted text-xs">
          <Info className="size-3.5 shrink-0" aria-hidden />
          The session was restarted before this cell: variables of earlier cells are gone.
        </p>
      )}
      {(stdout || stderr) && <Terminal stdout={stdout} stderr={stderr} live={live} truncated={truncated} />}
      {missing && <p className="px-3 py-1.5 text-muted text-xs">{missing}</p>}
      {results.length > 0 && (
        <div className="min-w-0 p-3">
          <RichResults results={results} />
        </div>
      )}
      {[...new Set([hint ?? [], deniedHosts.map(({ message }) => message)].flat())].map((message) => (
        <p key={message} className="border-t px-3 py-1.5 text-muted text-xs">
          {message}
        </p>
      ))}
      <SkippedNote sentence={skipped} className="border-t px-3 py-1.5" />
      {run.status === "timeout" && <Note>It was stopped at the time limit.</Note>}
      {run.status === "oom" && <Note>It was stopped because memory ran out. Work on smaller pieces.</Note>}
      {run.status === "interrupted" && (
        <Note>It ended when the sandbox or the server was restarted. Files are kept; run it again.</Note>
      )}
      {problem && (
        <div className="p-2">
          <Notice kind="problem">{problem}</Notice>
        </div>
      )}
    </>
  );
}

function Note({ children }: { children: string }) {
  return <p className="border-t px-3 py-1.5 text-danger text-xs">{children}</p>;
}

function hasSomething({ status, results, deniedHosts, ...run }: Run): boolean {
  const ended = status === "timeout" || status === "oom" || status === "interrupted";
  const { stdout, stderr, problem, restarted, skipped, missing } = run;
  return Boolean(
    stdout ||
      stderr ||
      missing ||
      problem ||
      restarted ||
      skipped ||
      ended ||
      results.length + deniedHosts.length,
  );
}
