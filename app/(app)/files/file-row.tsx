"use client";

import clsx from "clsx";
import { Download, Ellipsis, FolderInput, PencilLine, Trash2 } from "lucide-react";
import { DropdownMenu } from "radix-ui";
import type { CSSProperties } from "react";
import { fileIcon } from "#app/_components/file-icon.tsx";
import { formatBytes } from "#app/_components/format-bytes.ts";
import { MENU_ITEM } from "#app/_components/menu.ts";
import { Ago } from "#app/_components/time-ago.tsx";
import type { FileEntry } from "#lib/files/list-folder.ts";
import { displayName, joinPath } from "#lib/files/workspace-path.ts";
import { downloadAddress } from "./addresses.ts";
import { COLUMNS } from "./file-list.tsx";
import { FolderLink } from "./place.tsx";

export interface RowActions {
  rename: (entry: FileEntry) => void;
  move: (entries: FileEntry[]) => void;
  remove: (entries: FileEntry[]) => void;
}

export function FileRow({
  folder,
  entry,
  position,
  selected,
  onToggle,
  actions,
  style,
}: {
  folder: string;
  entry: FileEntry;
  position: number;
  selected: boolean;
  onToggle: () => void;
  actions: RowActions;
  style: CSSProperties;
}) {
  const name = displayName(entry.name);
  return (
    <tr
      aria-rowindex={position}
      style={style}
      className={clsx(
        COLUMNS,
        "absolute inset-x-0 top-0 border-b text-[13px]",
        selected ? "bg-accent-soft" : "hover:bg-hover/60",
      )}
    >
      <td className="grid place-items-center">
        <input
          type="checkbox"
          aria-label={`Select ${name}`}
          checked={selected}
          onChange={onToggle}
          className="size-4 accent-accent"
        />
      </td>
      <td className="flex min-w-0 items-center">
        <Name folder={folder} entry={entry} name={name} />
      </td>
      <td className="text-right text-muted tabular-nums max-md:hidden">
        {entry.type === "file" ? formatBytes(entry.size) : ""}
      </td>
      <td className="truncate pl-4 text-muted max-md:hidden">
        <Ago at={new Date(entry.modifiedMs)} />
      </td>
      <td>
        <RowMenu folder={folder} entry={entry} name={name} actions={actions} />
      </td>
    </tr>
  );
}

function Name({ folder, entry, name }: { folder: string; entry: FileEntry; name: string }) {
  const Icon = fileIcon(entry.name, entry.type);
  const look = clsx("flex min-w-0 items-center gap-2 py-1.5", entry.name.startsWith(".") && "text-muted");
  const content = (
    <>
      <Icon
        className={clsx("size-4 shrink-0", entry.type === "directory" ? "text-accent" : "text-muted")}
        aria-hidden
      />
      <bdi className="truncate" title={name}>
        {name}
      </bdi>
    </>
  );
  if (entry.type === "directory") {
    return (
      <FolderLink folder={joinPath(folder, entry.name)} className={clsx(look, "hover:underline")}>
        {content}
      </FolderLink>
    );
  }
  if (entry.type === "file") {
    return (
      <FolderLink folder={folder} file={entry.name} className={clsx(look, "hover:underline")}>
        {content}
      </FolderLink>
    );
  }
  return (
    <span className={look}>
      {content}
      <span className="truncate text-muted text-xs">
        {entry.type === "symlink" ? `→ ${displayName(entry.target ?? "")} (not followed)` : "special file"}
      </span>
    </span>
  );
}

function RowMenu({
  folder,
  entry,
  name,
  actions,
}: {
  folder: string;
  entry: FileEntry;
  name: string;
  actions: RowActions;
}) {
  const holdsSomething = entry.type === "file" || entry.type === "directory";
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger
        aria-label={`Actions for ${name}`}
        className="grid size-8 place-items-center rounded-md text-muted hover:bg-hover hover:text-ink"
      >
        <Ellipsis className="size-4" aria-hidden />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="end"
          sideOffset={4}
          className="z-40 w-48 rounded-lg border bg-surface p-1 shadow-lg"
        >
          {holdsSomething && (
            <DropdownMenu.Item asChild>
              <a className={MENU_ITEM} href={downloadAddress(folder, entry)} download>
                <Download className="size-4 text-muted" aria-hidden />
                {entry.type === "directory" ? "Download as zip" : "Download"}
              </a>
            </DropdownMenu.Item>
          )}
          <DropdownMenu.Item className={MENU_ITEM} onSelect={() => actions.rename(entry)}>
            <PencilLine className="size-4 text-muted" aria-hidden /> Rename…
          </DropdownMenu.Item>
          <DropdownMenu.Item className={MENU_ITEM} onSelect={() => actions.move([entry])}>
            <FolderInput className="size-4 text-muted" aria-hidden /> Move…
          </DropdownMenu.Item>
          <DropdownMenu.Separator className="my-1 border-t" />
          <DropdownMenu.Item
            className={clsx(MENU_ITEM, "text-danger")}
            onSelect={() => actions.remove([entry])}
          >
            <Trash2 className="size-4" aria-hidden /> Delete…
          </DropdownMenu.Item>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
