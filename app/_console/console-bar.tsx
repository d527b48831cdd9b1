"use client";

import { ListVideo, RotateCcw, Square } from "lucide-react";
import { Button } from "#app/_components/button.tsx";
import { ConsoleMenu, type ConsoleMenuProps } from "./console-menu.tsx";
import type { Content } from "./document.ts";
import type { Runs } from "./runs.ts";
import { SaveState } from "./save-state.tsx";
import { SessionPicker } from "./session-picker.tsx";
import { useLive } from "./use-run.ts";
import type { Saving } from "./use-saved.ts";

export function ConsoleBar({
  content,
  runs,
  saving,
  menu,
  onRename,
  onSession,
  onRestart,
  onRunAll,
}: {
  content: Content;
  runs: Runs;
  saving: Saving;
  menu: ConsoleMenuProps;
  onRename: (name: string) => void;
  onSession: (session: string) => void;
  onRestart: () => void;
  onRunAll: () => void;
}) {
  const live = useLive(runs);
  return (
    <header className="sticky top-0 z-10 flex min-h-12 flex-wrap items-center gap-x-2 gap-y-1 border-b bg-canvas px-3 py-1.5 max-md:top-12 md:px-6">
      <h1 className="sr-only">Console</h1>
      <div className="flex min-w-0 flex-1 basis-56 items-center gap-1">
        <input
          aria-label="Name of this console"
          value={content.name}
          maxLength={100}
          onChange={(event) => onRename(event.target.value)}
          className="-ml-1.5 field-sizing-content h-8 min-w-12 max-w-full truncate rounded-md bg-transparent px-1.5 font-semibold text-[15px] hover:bg-hover focus:bg-surface"
        />
        <ConsoleMenu {...menu} />
        <span className="ml-1">
          <SaveState saving={saving} />
        </span>
      </div>
      <div className="flex flex-wrap items-center gap-1.5">
        <SessionPicker session={content.session} onPick={onSession} />
        <Button size="small" onClick={onRestart} aria-label="Restart session">
          <RotateCcw className="size-3.5" aria-hidden />
          <span className="max-md:hidden">Restart</span>
        </Button>
        {live.length > 0 ? (
          <Button size="small" onClick={() => live.forEach((cellId) => void runs.stop(cellId))}>
            <Square className="size-3.5 text-danger" aria-hidden /> Stop
          </Button>
        ) : (
          <Button size="small" look="primary" onClick={onRunAll}>
            <ListVideo className="size-3.5" aria-hidden /> Run all
          </Button>
        )}
      </div>
    </header>
  );
}
