"use client";

import { useEffect, useMemo, useRef, useState } from "react";
import type { EditorHandle } from "#app/_editor/editor.tsx";
import { ask } from "#app/_http/ask.ts";
import type { OpenedConsole } from "#lib/console/consoles.ts";
import { CONSOLES, complete } from "./api.ts";
import type { CellActions } from "./cell.tsx";
import { prepareOutput } from "./cell-output.tsx";
import {
  type Cell,
  type CellKind,
  type Change,
  type Content,
  changed,
  newCell,
  placeOf,
} from "./document.ts";
import { isLive } from "./run.ts";
import { Runs } from "./runs.ts";
import { useSaved } from "./use-saved.ts";

/** A console at work: what is typed, what runs, what is saved. */
export function useConsole({ id, version, runs: known, ...first }: OpenedConsole) {
  const [content, setContent] = useState<Content>(first);
  // Ahead of what is drawn: a key may run what the key before it typed.
  const now = useRef(content);
  const [runs] = useState(() => new Runs());
  const [removed, setRemoved] = useState<{ cell: Cell; at: number }>();
  const editors = useRef(new Map<string, EditorHandle>());
  const wanted = useRef<string>(undefined);
  const { saving, saveNow, settle } = useSaved(id, version, content);

  function apply(change: Change): void {
    now.current = changed(now.current, change);
    setContent(now.current);
  }

  /** As it is on the server, whatever was here. */
  async function load(): Promise<void> {
    const { version, runs: executions, ...rest } = await ask<OpenedConsole>(`${CONSOLES}/${id}`);
    const fresh: Content = { name: rest.name, session: rest.session, cells: rest.cells };
    settle(fresh, version);
    apply({ do: "replace", content: fresh });
    showRuns(executions);
  }

  function showRuns(executions: Record<string, string>): void {
    for (const { id: cellId } of now.current.cells) {
      const executionId = executions[cellId];
      if (executionId && runs.get(cellId)?.executionId !== executionId) void runs.follow(cellId, executionId);
    }
  }

  function focus(cellId: string | undefined): void {
    if (cellId === undefined) return;
    const editor = editors.current.get(cellId);
    if (editor) editor.focus();
    // It is drawn in a moment, and is focused then.
    else wanted.current = cellId;
  }

  function add(kind: CellKind, after?: string): void {
    const cell = newCell(kind);
    apply({ do: "add", cell, after });
    focus(cell.id);
  }

  async function runCell(cellId: string) {
    const cell = now.current.cells.find((one) => one.id === cellId);
    const earlier = runs.get(cellId);
    if (!cell || cell.kind === "text" || !cell.code.trim() || (earlier && isLive(earlier))) return undefined;
    return runs.run(id, now.current.session, cell);
  }

  /** One after the other, as far as the first that fails. */
  async function runAll(): Promise<void> {
    for (const { id: cellId } of now.current.cells) {
      const run = await runCell(cellId);
      if (run && run.status !== "completed") return;
    }
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: made once; everything in it looks at what is there now.
  const actions = useMemo<CellActions>(
    () => ({
      edit: (cellId, code) => apply({ do: "edit", id: cellId, code }),
      turnInto: (cellId, kind) => apply({ do: "turn into", id: cellId, kind }),
      move: (cellId, by) => apply({ do: "move", id: cellId, by }),
      remove(cellId) {
        const at = placeOf(now.current.cells, cellId);
        const cell = now.current.cells[at];
        if (!cell) return;
        apply({ do: "remove", id: cellId });
        setRemoved({ cell, at });
        focus(now.current.cells[Math.max(0, at - 1)]?.id);
      },
      run(cellId, then) {
        void runCell(cellId);
        if (then === "stay") return;
        const next = now.current.cells[placeOf(now.current.cells, cellId) + 1];
        if (next) focus(next.id);
        else add("python", cellId);
      },
      stop: (cellId) => void runs.stop(cellId),
      go(cellId, to) {
        const at = placeOf(now.current.cells, cellId) + (to === "next" ? 1 : -1);
        const cell = now.current.cells[at];
        if (cell) editors.current.get(cell.id)?.focus(to === "next" ? "start" : "end");
      },
      editorOf(cellId, editor) {
        if (editor) editors.current.set(cellId, editor);
        else editors.current.delete(cellId);
        if (!editor || wanted.current !== cellId) return;
        wanted.current = undefined;
        // Once React is done with it.
        queueMicrotask(() => editors.current.get(cellId)?.focus());
      },
      save: saveNow,
      complete: (code, cursor, signal) => complete(now.current.session, code, cursor, signal),
    }),
    [],
  );

  const opened = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page opens.
  useEffect(() => {
    if (opened.current) return;
    opened.current = true;
    showRuns(known);
    prepareOutput();
    // A page that the browser kept may be older than what it left behind when it was closed.
    ask<OpenedConsole>(`${CONSOLES}/${id}`)
      .then((fresh) => {
        if (fresh.version !== version && now.current === content) void load();
      })
      .catch(() => undefined);
    // Wakes the sandbox while the person still reads.
    ask(`${CONSOLES}/sessions`).catch(() => undefined);
  }, []);

  return {
    content,
    runs,
    saving,
    actions,
    removed,
    add,
    runAll,
    load,
    rename: (name: string) => apply({ do: "rename", name }),
    pickSession: (session: string) => apply({ do: "use session", session }),
    putBack() {
      if (removed) apply({ do: "put back", ...removed });
      setRemoved(undefined);
    },
    forgetRemoved: () => setRemoved(undefined),
  };
}
