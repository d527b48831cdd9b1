"use client";

import { ArrowDown, ArrowUp, Play, Square, Trash2 } from "lucide-react";
import { useEffect, useState } from "react";
import { IconButton } from "#app/_components/button.tsx";
import { Duration, durationText } from "#app/_results/duration.tsx";
import { StatusBadge } from "#app/_results/status-badge.tsx";
import type { CellActions } from "./cell.tsx";
import type { Cell, CellKind } from "./document.ts";
import { isLive } from "./run.ts";
import { useRun } from "./use-run.ts";

const KINDS: Record<CellKind, string> = { python: "Python", bash: "Bash", text: "Text" };

/** The line on top of a cell: run or stop it, say what it is, see how it went, move or delete it. */
export function CellBar({ cell, label, actions }: { cell: Cell; label: string; actions: CellActions }) {
  const run = useRun(cell.id);
  const live = run !== undefined && isLive(run);
  return (
    <div className="flex h-9 items-center gap-1 px-1.5 max-md:h-11">
      {cell.kind === "text" ? (
        <span className="w-1.5" />
      ) : live ? (
        <IconButton
          icon={Square}
          label={run.stopping ? `Stop ${label} for good` : `Stop ${label}`}
          onClick={() => actions.stop(cell.id)}
          className="text-danger!"
        />
      ) : (
        <IconButton
          icon={Play}
          label={`Run ${label}`}
          disabled={!cell.code.trim()}
          onClick={() => actions.run(cell.id, "stay")}
          className="text-accent!"
        />
      )}
      <select
        aria-label={`Language of ${label}`}
        value={cell.kind}
        disabled={live}
        onChange={(event) => actions.turnInto(cell.id, event.target.value as CellKind)}
        className="h-7 rounded-md bg-transparent px-1 text-muted text-xs hover:bg-hover max-md:h-9"
      >
        {Object.entries(KINDS).map(([kind, name]) => (
          <option key={kind} value={kind}>
            {name}
          </option>
        ))}
      </select>
      <span className="ml-auto flex opacity-0 transition-opacity group-focus-within/cell:opacity-100 group-hover/cell:opacity-100 max-md:opacity-100">
        <IconButton icon={ArrowUp} label={`Move ${label} up`} onClick={() => actions.move(cell.id, -1)} />
        <IconButton icon={ArrowDown} label={`Move ${label} down`} onClick={() => actions.move(cell.id, 1)} />
        <IconButton icon={Trash2} label={`Delete ${label}`} onClick={() => actions.remove(cell.id)} />
      </span>
      <span
        role="status"
        className="flex min-w-16 justify-end pr-1.5 items-center gap-2 text-muted text-xs tabular-nums"
      >
        {run && run.status !== "unknown" && (
          <>
            {live && run.startedAt !== undefined && <Elapsed since={run.startedAt} />}
            {run.durationMs !== undefined && <Duration ms={run.durationMs} />}
            {run.stopping && live ? (
              "Stopping…"
            ) : (
              <StatusBadge
                status={run.status === "waiting" ? "running" : run.status}
                exitCode={cell.kind === "bash" ? run.exitCode : null}
              />
            )}
          </>
        )}
      </span>
    </div>
  );
}

/** How long it has been going on, once that is worth mentioning. */
function Elapsed({ since }: { since: number }) {
  const [now, setNow] = useState(since);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const whole = Math.floor((now - since) / 1000) * 1000;
  // Not for screen readers: it would be read out every second.
  return whole > 0 && <span aria-hidden>{durationText(whole)}</span>;
}
