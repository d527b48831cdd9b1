"use client";

import { Plus } from "lucide-react";
import { memo } from "react";
import { Button } from "#app/_components/button.tsx";
import type { Complete } from "#app/_editor/completion.ts";
import { Editor, type EditorHandle } from "#app/_editor/editor.tsx";
import { CellBar } from "./cell-bar.tsx";
import { CellOutput } from "./cell-output.tsx";
import type { Cell, CellKind } from "./document.ts";

export interface CellActions {
  edit(id: string, code: string): void;
  turnInto(id: string, kind: CellKind): void;
  move(id: string, by: -1 | 1): void;
  remove(id: string): void;
  run(id: string, then: "next" | "stay"): void;
  stop(id: string): void;
  /** To the cell above or below. */
  go(id: string, to: "previous" | "next"): void;
  editorOf(id: string, editor: EditorHandle | null): void;
  save(): void;
  complete: Complete;
}

const KINDS: [CellKind, string][] = [
  ["python", "Python"],
  ["bash", "Bash"],
  ["text", "Text"],
];
const LANGUAGES = { python: "python", bash: "bash", text: "markdown" } as const;
const HINTS = { python: "Python", bash: "Shell commands", text: "Notes" };

export const CellCard = memo(function CellCard({
  cell,
  number,
  actions,
}: {
  cell: Cell;
  number: number;
  actions: CellActions;
}) {
  const { id, kind, code } = cell;
  const label = `cell ${number}`;
  return (
    <li
      aria-label={`Cell ${number}`}
      className="group/cell min-w-0 rounded-lg border bg-surface transition-colors focus-within:border-accent"
    >
      <CellBar cell={cell} label={label} actions={actions} />
      <Editor
        // Completion is Python's: an editor is made with it or without.
        key={kind}
        ref={(editor) => actions.editorOf(id, editor)}
        label={`Code of ${label}`}
        placeholder={HINTS[kind]}
        language={LANGUAGES[kind]}
        value={code}
        wraps={kind === "text"}
        onChange={(text) => actions.edit(id, text)}
        onRun={(then) => actions.run(id, then)}
        onLeave={(to) => actions.go(id, to)}
        onSave={actions.save}
        {...(kind === "python" && { complete: actions.complete })}
        className="-mt-1 min-w-0 overflow-hidden"
      />
      {kind !== "text" && <CellOutput cellId={id} label={label} />}
    </li>
  );
});

export function AddCell({ onAdd }: { onAdd: (kind: CellKind) => void }) {
  return (
    <div className="flex flex-wrap gap-1">
      {KINDS.map(([kind, name]) => (
        <Button
          key={kind}
          size="small"
          look="quiet"
          onClick={() => onAdd(kind)}
          aria-label={`Add ${name} cell`}
        >
          <Plus className="size-3.5" aria-hidden />
          {name}
        </Button>
      ))}
    </div>
  );
}
