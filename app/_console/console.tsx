"use client";

import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { Button } from "#app/_components/button.tsx";
import { AskFirst } from "#app/_components/confirm.tsx";
import { Notice } from "#app/_components/notice.tsx";
import { ask } from "#app/_http/ask.ts";
import type { OpenedConsole } from "#lib/console/consoles.ts";
import { CONSOLES, createConsole, exportConsole } from "./api.ts";
import { AddCell, CellCard } from "./cell.tsx";
import { ConsoleBar } from "./console-bar.tsx";
import { type Content, newCell } from "./document.ts";
import { readNotebook } from "./read-notebook.ts";
import { Conflict } from "./save-state.tsx";
import { useConsole } from "./use-console.ts";
import { RunsContext } from "./use-run.ts";

const LARGEST_NOTEBOOK = 20 * 2 ** 20;
const UNDO_FOR_MS = 15_000;

export function Console({
  opened,
  consoles,
}: {
  opened: OpenedConsole;
  consoles: { id: string; name: string }[];
}) {
  const router = useRouter();
  const page = useConsole(opened);
  const { content, runs, actions, removed } = page;
  const [problem, setProblem] = useState<string>();
  const [asking, setAsking] = useState<"delete" | "restart">();
  const [isReady, setReady] = useState(false);
  useEffect(() => setReady(true), []);

  /** Does it, and says so if it can't be done. */
  const attempt = (work: () => Promise<void>) => {
    setProblem(undefined);
    work().catch((error) => setProblem(error instanceof Error ? error.message : "Something went wrong."));
  };
  const create = (made: Content) => attempt(async () => router.push(`/console/${await createConsole(made)}`));

  return (
    <RunsContext value={runs}>
      <div
        className="flex min-h-[calc(100dvh-3rem)] flex-col md:min-h-dvh"
        data-ready={isReady || undefined}
        data-testid="console"
      >
        <ConsoleBar
          content={content}
          runs={runs}
          saving={page.saving}
          onRename={page.rename}
          onSession={page.pickSession}
          onRestart={() => setAsking("restart")}
          onRunAll={() => void page.runAll()}
          menu={{
            id: opened.id,
            consoles,
            onNew: () =>
              create({
                name: `Console ${consoles.length + 1}`,
                session: content.session,
                cells: [newCell()],
              }),
            onImport: (file) => attempt(async () => create(await readFile(file))),
            onExport: () => attempt(async () => download(content, await exportConsole(opened.id, content))),
            onDelete: () => setAsking("delete"),
          }}
        />
        <div className="mx-auto grid w-full max-w-4xl content-start gap-3 px-3 py-4 md:px-6 md:py-6">
          {problem && <Notice kind="problem">{problem}</Notice>}
          {page.saving.is === "conflict" && (
            <Conflict
              onLoad={() => attempt(page.load)}
              onCopy={() => create({ ...content, name: `${content.name.slice(0, 90)} (copy)` })}
            />
          )}
          <ol className="grid min-w-0 grid-cols-1 gap-3">
            {content.cells.map((cell, at) => (
              <CellCard key={cell.id} cell={cell} number={at + 1} actions={actions} />
            ))}
          </ol>
          <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
            <AddCell onAdd={(kind) => page.add(kind, content.cells.at(-1)?.id)} />
            <p className="text-muted text-xs max-md:hidden">
              Shift-Enter runs and moves on · Ctrl-Enter runs · Alt ↑ ↓ between cells · Tab completes
            </p>
          </div>
        </div>
        {removed && <UndoDelete key={removed.cell.id} onUndo={page.putBack} onDismiss={page.forgetRemoved} />}
        <AskFirst
          open={asking === "restart"}
          onClose={() => setAsking(undefined)}
          title={`Restart session “${content.session}”?`}
          about="Its variables are gone, for everybody who uses this session. Files stay."
          action="Restart"
          onYes={() =>
            attempt(
              async () => void (await ask(`${CONSOLES}/sessions/${content.session}`, { method: "DELETE" })),
            )
          }
        />
        <AskFirst
          open={asking === "delete"}
          onClose={() => setAsking(undefined)}
          title={`Delete “${content.name}”?`}
          about="Its cells are gone for good. What they ran stays in the history."
          action="Delete"
          onYes={() =>
            attempt(async () => {
              await ask(`${CONSOLES}/${opened.id}`, { method: "DELETE" });
              router.push("/console");
            })
          }
        />
      </div>
    </RunsContext>
  );
}

function UndoDelete({ onUndo, onDismiss }: { onUndo: () => void; onDismiss: () => void }) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: counted from when it appeared.
  useEffect(() => {
    const timer = setTimeout(onDismiss, UNDO_FOR_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div
      role="status"
      className="fixed bottom-4 left-1/2 z-20 flex -translate-x-1/2 items-center gap-3 whitespace-nowrap rounded-lg border bg-surface py-1.5 pr-1.5 pl-4 text-sm shadow-lg"
    >
      Cell deleted.
      <Button size="small" onClick={onUndo}>
        Undo
      </Button>
      <Button size="small" look="quiet" onClick={onDismiss}>
        Dismiss
      </Button>
    </div>
  );
}

async function readFile(file: File): Promise<Content> {
  if (file.size > LARGEST_NOTEBOOK) {
    const megabytes = Math.ceil(file.size / 2 ** 20);
    throw new Error(
      `This notebook has ${megabytes} MB; up to 20 MB can be imported. Clear its outputs first.`,
    );
  }
  return readNotebook(await file.text(), file.name);
}

function download({ name }: Content, notebook: Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(notebook);
  link.download = `${name.replace(/[\\/:*?"<>|\p{Cc}]/gu, "-")}.ipynb`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
