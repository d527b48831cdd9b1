"use client";

import { Folder, FolderX, LoaderCircle } from "lucide-react";
import { useMemo, useState } from "react";
import { Button } from "#app/_components/button.tsx";
import { EmptyState } from "#app/_components/page.tsx";
import type { FileEntry } from "#lib/files/list-folder.ts";
import { displayName, joinPath, parentOf } from "#lib/files/workspace-path.ts";
import { zipAddress } from "./addresses.ts";
import { Breadcrumbs } from "./breadcrumbs.tsx";
import type { Question } from "./dialogs.tsx";
import type { Dropped } from "./dropped-files.ts";
import { FileList } from "./file-list.tsx";
import { FolderLink } from "./place.tsx";
import { type Order, sortEntries } from "./sort-entries.ts";
import { FolderTools, SelectionTools } from "./toolbar.tsx";
import { type Folder as Listed, useFolder } from "./use-folder.ts";
import type { Beat } from "./use-pulse.ts";

interface Props {
  folder: string;
  beat: Beat;
  hidden: boolean;
  onHidden: () => void;
  onRefresh: () => void;
  onFiles: (dropped: Dropped) => void;
  ask: (question: Question) => void;
}

export function FolderView({ folder, beat, hidden, onHidden, onRefresh, onFiles, ask }: Props) {
  const listed = useFolder(folder, beat);
  const [order, setOrder] = useState<Order>({ by: "name", descending: false });
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const entries = useMemo(() => {
    const visible = hidden ? listed.entries : listed.entries.filter(({ name }) => !name.startsWith("."));
    return listed.next ? visible : sortEntries(visible, order);
  }, [listed.entries, listed.next, hidden, order]);
  // What is gone is no longer selected.
  const selected = entries.filter(({ name }) => chosen.has(name));
  const zippable =
    selected.length <= 100 && selected.some(({ type }) => type === "file" || type === "directory");

  return (
    <>
      <div className="flex min-h-11 items-center gap-1.5 border-b px-2 md:px-4">
        <Breadcrumbs folder={folder} />
        {selected.length > 0 ? (
          <SelectionTools
            count={selected.length}
            zipHref={zippable ? zipAddress(selected.map(({ name }) => joinPath(folder, name))) : undefined}
            onMove={() => ask({ kind: "move", entries: selected })}
            onDelete={() => ask({ kind: "delete", entries: selected })}
            onClear={() => setChosen(new Set())}
          />
        ) : (
          <FolderTools
            hidden={hidden}
            onHidden={onHidden}
            onRefresh={onRefresh}
            onFiles={onFiles}
            onNew={(kind) => ask({ kind })}
          />
        )}
      </div>
      {listed.problem || entries.length === 0 ? (
        <Nothing folder={folder} listed={listed} onRefresh={onRefresh} />
      ) : (
        <FileList
          folder={folder}
          entries={entries}
          {...(!listed.next && { order })}
          onOrder={setOrder}
          selected={new Set(selected.map(({ name }) => name))}
          onSelect={setChosen}
          {...(listed.next && { onEnd: listed.more })}
          actions={{
            rename: (entry: FileEntry) => ask({ kind: "rename", entry }),
            move: (moved) => ask({ kind: "move", entries: moved }),
            remove: (removed) => ask({ kind: "delete", entries: removed }),
          }}
        />
      )}
      {listed.entries.length > 0 && <Summary shown={entries.length} listed={listed} />}
    </>
  );
}

function Nothing({ folder, listed, onRefresh }: { folder: string; listed: Listed; onRefresh: () => void }) {
  if (listed.loading) {
    return (
      <output className="m-auto flex items-center gap-2 text-muted text-sm">
        <LoaderCircle className="size-4 animate-spin" aria-hidden /> Opening your workspace…
      </output>
    );
  }
  if (listed.problem) {
    return (
      <EmptyState
        icon={FolderX}
        title={
          listed.problem.status === 404 ? "This folder is not here any more" : "The folder can't be listed"
        }
        action={
          <>
            <Button onClick={onRefresh}>Try again</Button>
            {folder && (
              <FolderLink folder={parentOf(folder)} className="px-3 py-2 text-accent text-sm hover:underline">
                Go up
              </FolderLink>
            )}
          </>
        }
      >
        {displayName(listed.problem.message)}
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={Folder} title={folder ? "This folder is empty" : "Your workspace is empty"}>
      Drop files here or upload them. Whatever your code and your agents write turns up by itself.
      {listed.entries.length > 0 && ` ${listed.entries.length} hidden entries aren't shown.`}
    </EmptyState>
  );
}

function Summary({ shown, listed }: { shown: number; listed: Listed }) {
  const hiddenCount = listed.entries.length - shown;
  return (
    <p className="border-t px-4 py-1.5 text-muted text-xs">
      {shown.toLocaleString("en")} {shown === 1 ? "entry" : "entries"}
      {listed.next && " so far, in order of name; more load as you scroll"}
      {hiddenCount > 0 && `, ${hiddenCount.toLocaleString("en")} hidden`}
    </p>
  );
}
