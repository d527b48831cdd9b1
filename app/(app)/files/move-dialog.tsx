"use client";

import clsx from "clsx";
import { CornerLeftUp, Folder } from "lucide-react";
import { useState } from "react";
import { Dialog } from "#app/_components/dialog.tsx";
import { ask } from "#app/_http/ask.ts";
import type { FileEntry } from "#lib/files/list-folder.ts";
import { displayName, joinPath, nameOf, parentOf } from "#lib/files/workspace-path.ts";
import { useFolder } from "./use-folder.ts";

const ROW = "flex w-full items-center gap-2 px-3 py-2 text-left text-[13px] hover:bg-hover";

/** Walks through the folders to the one where things shall go. */
export function MoveDialog({
  folder,
  entries,
  onClose,
  onDone,
}: {
  folder: string;
  entries: FileEntry[];
  onClose: () => void;
  onDone: () => void;
}) {
  const [target, setTarget] = useState(folder);
  const { entries: found, loading } = useFolder(target, 0);
  const moving = new Set(entries.map(({ name }) => joinPath(folder, name)));
  const folders = found.filter(
    ({ type, name }) => type === "directory" && !moving.has(joinPath(target, name)),
  );
  const [only] = entries;
  const what = entries.length === 1 && only ? displayName(only.name) : `${entries.length} entries`;
  const here = target ? displayName(nameOf(target)) : "workspace";
  return (
    <Dialog
      title={`Move ${what.length > 60 ? `${what.slice(0, 60)}…` : what}`}
      submit={`Move to ${here.length > 30 ? `${here.slice(0, 30)}…` : here}`}
      disabled={target === folder}
      onClose={onClose}
      onSubmit={async () => {
        for (const { name } of entries) {
          const body = { from: joinPath(folder, name), to: joinPath(target, name) };
          await ask("/api/files/move", { method: "POST", body });
        }
        onDone();
      }}
    >
      <div className="grid gap-1">
        <p className="truncate text-muted text-xs">/{displayName(joinPath("workspace", target))}</p>
        <ul
          aria-label="Folders"
          aria-busy={loading}
          className="h-56 divide-y overflow-y-auto rounded-md border"
        >
          {target && (
            <li>
              <button type="button" className={ROW} onClick={() => setTarget(parentOf(target))}>
                <CornerLeftUp className="size-4 text-muted" aria-hidden /> Up
              </button>
            </li>
          )}
          {folders.map(({ name }) => (
            <li key={name}>
              <button type="button" className={ROW} onClick={() => setTarget(joinPath(target, name))}>
                <Folder className="size-4 shrink-0 text-accent" aria-hidden />
                <bdi className="truncate">{displayName(name)}</bdi>
              </button>
            </li>
          ))}
          {!loading && folders.length === 0 && (
            <li className={clsx(ROW, "text-muted")}>No folders in here.</li>
          )}
        </ul>
      </div>
    </Dialog>
  );
}
