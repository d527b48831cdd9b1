"use client";

import clsx from "clsx";
import { Download } from "lucide-react";
import Link from "next/link";
import { useState } from "react";
import { buttonClass } from "#app/_components/button.tsx";
import { Confirm } from "#app/_components/confirm.tsx";
import { When } from "#app/_components/time-ago.tsx";
import { durationText } from "#app/_results/duration.tsx";
import { StatusBadge } from "#app/_results/status-badge.tsx";
import { removeRuns } from "./actions.ts";
import { doorLabel } from "./labels.ts";
import type { RunItem } from "./tool-labels.ts";

const FORMATS = [
  { format: "py", label: ".py" },
  { format: "sh", label: ".sh" },
  { format: "ipynb", label: ".ipynb" },
];

export function RunList({ runs }: { runs: RunItem[] }) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  // What is no longer on the page can't be seen to be chosen, so it isn't.
  const selected = runs.filter(({ id }) => chosen.has(id)).map(({ id }) => id);
  const all = selected.length === runs.length;

  function choose(ids: string[], on: boolean) {
    const next = new Set(chosen);
    for (const id of ids) on ? next.add(id) : next.delete(id);
    setChosen(next);
  }

  return (
    <div className="overflow-hidden rounded-lg border bg-surface">
      <div className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 border-b bg-sunken px-3 py-1.5">
        <label className="flex items-center gap-3 text-muted text-xs">
          <input
            type="checkbox"
            aria-label="Select all on this page"
            className="size-4 accent-(--accent)"
            checked={all}
            ref={(box) => {
              if (box) box.indeterminate = selected.length > 0 && !all;
            }}
            onChange={(event) =>
              choose(
                runs.map(({ id }) => id),
                event.target.checked,
              )
            }
          />
          {selected.length > 0 ? `${selected.length} selected` : "Select to export or delete"}
        </label>
        {selected.length > 0 && <Selection ids={selected} />}
      </div>
      <ul className="divide-y">
        {runs.map((run) => (
          <Run key={run.id} run={run} chosen={chosen.has(run.id)} onChoose={(on) => choose([run.id], on)} />
        ))}
      </ul>
    </div>
  );
}

function Run({ run, chosen, onChoose }: { run: RunItem; chosen: boolean; onChoose: (on: boolean) => void }) {
  const name = run.summary || run.label;
  return (
    <li
      className={clsx("relative flex items-center gap-3 px-3 hover:bg-hover", chosen && "bg-accent-soft/50")}
    >
      <input
        type="checkbox"
        aria-label={`Select ${name}`}
        checked={chosen}
        onChange={(event) => onChoose(event.target.checked)}
        className="relative z-1 size-4 shrink-0 accent-(--accent)"
      />
      <div className="grid min-w-0 flex-1 grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-0.5 py-2 md:grid-cols-[7.5rem_minmax(0,1fr)_6rem_5rem_7rem]">
        <span className="flex items-center gap-3 text-xs max-md:order-2 max-md:col-span-2">
          <StatusBadge status={run.status} exitCode={run.exitCode} />
          <span className="text-muted md:hidden">
            {doorLabel(run.door)} · {durationText(run.durationMs ?? 0)}
          </span>
        </span>
        <Link
          href={`/history/${run.id}`}
          prefetch={false}
          className="min-w-0 truncate after:absolute after:inset-0"
        >
          <span className="mr-1 text-muted text-xs">{run.label}</span>{" "}
          <span className="font-mono text-[13px]">{run.summary}</span>
          {Boolean(run.removedBytes) && <span className="ml-2 text-muted text-xs">output removed</span>}
        </Link>
        <span className="truncate text-muted text-xs max-md:hidden">{doorLabel(run.door)}</span>
        <span className="text-right text-muted text-xs tabular-nums max-md:hidden">
          {run.durationMs === null ? "" : durationText(run.durationMs)}
        </span>
        <When at={run.createdAt} className="text-right text-muted text-xs" />
      </div>
    </li>
  );
}

/** What can be done with the chosen runs. */
function Selection({ ids }: { ids: string[] }) {
  return (
    <div className="ml-auto flex flex-wrap items-center gap-2">
      {FORMATS.map(({ format, label }) => (
        <a
          key={format}
          href={`/api/history/export?format=${format}&ids=${ids.join(",")}`}
          download
          aria-label={`Export as ${label}`}
          className={buttonClass({ size: "small" })}
        >
          <Download className="size-3.5" aria-hidden /> {label}
        </a>
      ))}
      <Confirm
        trigger="Delete"
        triggerLabel="Delete selected runs"
        title={ids.length === 1 ? "Delete this run?" : `Delete ${ids.length} runs?`}
        about="Code, output and timings are gone for good. Files and artifacts stay."
        submit="Delete"
        action={removeRuns}
      >
        <input type="hidden" name="ids" value={ids.join(",")} />
      </Confirm>
    </div>
  );
}
