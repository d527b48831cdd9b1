"use client";

import clsx from "clsx";
import { CornerLeftUp, Folder } from "lucide-react";
import { useState } from "react";
import { Dialog } from "#app/_components/dialog.tsx";
import { ask } from "#app/_http/ask.ts";
import type { FileEntry } from "#lib/files/list-folder.ts";
import { displayName, joinPath, nameOf, parentOf } from "#lib/files/workspace-path.ts";
import { useFolder } from "./use-folder.ts";
import { STILL } from "./use-pulse.ts";

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
  const moving = new Set(entries.map(({ name }) => joinPath(folder, name)));
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
        <Folders key={target} path={target} except={moving} onGo={setTarget} />
      </div>
    </Dialog>
  );
}

function Folders({
  path,
  except,
  onGo,
}: {
  path: string;
  except: ReadonlySet<string>;
  onGo: (path: string) => void;
}) {
  const { entries, loading } = useFolder(path, STILL);
  const folders = entries.filter(
    ({ type, name }) => type === "directory" && !except.has(joinPath(path, name)),
  );
  return (
    <ul aria-label="Folders" aria-busy={loading} className="h-56 divide-y overflow-y-auto rounded-md border">
      {path && (
        <li>
          <button type="button" className={ROW} onClick={() => onGo(parentOf(path))}>
            <CornerLeftUp className="size-4 text-muted" aria-hidden /> Up
          </button>
        </li>
      )}
      {folders.map(({ name }) => (
        <li key={name}>
          <button type="button" className={ROW} onClick={() => onGo(joinPath(path, name))}>
            <Folder className="size-4 shrink-0 text-accent" aria-hidden />
            <bdi className="truncate">{displayName(name)}</bdi>
          </button>
        </li>
      ))}
      {!loading && folders.length === 0 && <li className={clsx(ROW, "text-muted")}>No folders in here.</li>}
    </ul>
  );
}
