"use client";

import { useState } from "react";
import { Dialog } from "#app/_components/dialog.tsx";
import { Field } from "#app/_components/field.tsx";
import { ask } from "#app/_http/ask.ts";
import type { FileEntry } from "#lib/files/list-folder.ts";
import { displayName, joinPath } from "#lib/files/workspace-path.ts";

/** Which question is open. */
export type Question =
  | { kind: "new-file" }
  | { kind: "new-folder" }
  | { kind: "rename"; entry: FileEntry }
  | { kind: "move"; entries: FileEntry[] }
  | { kind: "delete"; entries: FileEntry[] };

interface Props {
  folder: string;
  onClose: () => void;
  /** The name of what was made, if something was. */
  onDone: (made?: { name: string; kind: "file" | "folder" }) => void;
}

export function NameDialog({
  folder,
  kind,
  entry,
  onClose,
  onDone,
}: Props & { kind: "new-file" | "new-folder" | "rename"; entry?: FileEntry }) {
  const [name, setName] = useState(entry?.name.isWellFormed() ? entry.name : "");
  const problem = problemOf(name);
  const title = { "new-file": "New file", "new-folder": "New folder", rename: "Rename" }[kind];
  return (
    <Dialog
      title={title}
      about={entry && <bdi className="break-all">{displayName(entry.name)}</bdi>}
      submit={kind === "rename" ? "Rename" : "Create"}
      disabled={!name || problem !== undefined || name === entry?.name}
      onClose={onClose}
      onSubmit={async () => {
        const path = joinPath(folder, name);
        if (kind === "new-folder") await ask("/api/files/folder", { method: "POST", body: { path } });
        else if (kind === "new-file") {
          await ask("/api/files/text", { method: "PUT", body: { path, text: "", seen: null } });
        } else if (entry) {
          const body = { from: joinPath(folder, entry.name), to: path };
          await ask("/api/files/move", { method: "POST", body });
        }
        onDone(kind === "rename" ? undefined : { name, kind: kind === "new-file" ? "file" : "folder" });
      }}
    >
      <Field
        label="Name"
        hint={problem}
        value={name}
        onChange={(event) => setName(event.target.value)}
        autoComplete="off"
        spellCheck={false}
        autoFocus
      />
    </Dialog>
  );
}

export function DeleteDialog({ folder, entries, onClose, onDone }: Props & { entries: FileEntry[] }) {
  const [only] = entries;
  const folders = entries.some(({ type }) => type === "directory");
  const what = entries.length === 1 && only ? displayName(only.name) : `${entries.length} entries`;
  return (
    <Dialog
      title={`Delete ${what.length > 60 ? `${what.slice(0, 60)}…` : what}?`}
      about={`${folders ? "Folders go with everything in them. " : ""}This can't be undone.`}
      submit="Delete"
      danger
      onClose={onClose}
      onSubmit={async () => {
        const paths = entries.map(({ name }) => joinPath(folder, name));
        for (let at = 0; at < paths.length; at += 1000) {
          await ask("/api/files", { method: "DELETE", body: { paths: paths.slice(at, at + 1000) } });
        }
        onDone();
      }}
    />
  );
}

function problemOf(name: string): string | undefined {
  if (name.includes("/")) return "A name can't hold a slash.";
  if (name === "." || name === "..") return "This name means a folder.";
  if (new TextEncoder().encode(name).length > 255) return "A name has 255 bytes at most.";
  return undefined;
}
