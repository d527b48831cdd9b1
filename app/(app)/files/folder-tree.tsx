"use client";

import clsx from "clsx";
import { ChevronRight, Folder as FolderIcon, FolderOpen } from "lucide-react";
import { useEffect, useState } from "react";
import { displayName, joinPath } from "#lib/files/workspace-path.ts";
import { FolderLink } from "./place.tsx";
import { useFolder } from "./use-folder.ts";
import type { Beat } from "./use-pulse.ts";

interface Props {
  current: string;
  beat: Beat;
  hidden: boolean;
}

/** The folders as a tree; a branch is asked for when it is opened. */
export function FolderTree(props: Props) {
  return (
    <nav aria-label="Folders" className="text-[13px]">
      <ul>
        <Branch path="" name="workspace" {...props} />
      </ul>
    </nav>
  );
}

function Branch({ path, name, current, beat, hidden }: Props & { path: string; name: string }) {
  const here = path === current;
  const leadsHere = path === "" || current.startsWith(`${path}/`);
  const [open, setOpen] = useState(path === "");
  useEffect(() => {
    if (leadsHere) setOpen(true);
  }, [leadsHere]);
  const Icon = open ? FolderOpen : FolderIcon;
  return (
    <li>
      <div className={clsx("flex items-center rounded-md", here ? "bg-hover" : "hover:bg-hover")}>
        <button
          type="button"
          aria-expanded={open}
          aria-label={`Folders in ${displayName(name)}`}
          onClick={() => setOpen(!open)}
          className="rounded p-1.5 text-muted"
        >
          <ChevronRight className={clsx("size-3.5 transition-transform", open && "rotate-90")} aria-hidden />
        </button>
        <FolderLink
          folder={path}
          aria-current={here ? "page" : undefined}
          className={clsx("flex min-w-0 flex-1 items-center gap-1.5 py-1 pr-2", here && "font-medium")}
        >
          <Icon className={clsx("size-4 shrink-0", here ? "text-accent" : "text-muted")} aria-hidden />
          <span className="truncate">{displayName(name)}</span>
        </FolderLink>
      </div>
      {open && <Branches path={path} current={current} beat={beat} hidden={hidden} />}
    </li>
  );
}

function Branches({ path, ...rest }: Props & { path: string }) {
  const { entries, next } = useFolder(path, rest.beat);
  const folders = entries.filter(
    ({ type, name }) => type === "directory" && (rest.hidden || !name.startsWith(".")),
  );
  if (folders.length === 0) return null;
  return (
    <ul className="ml-3.5 border-l pl-1">
      {folders.map(({ name }) => (
        <Branch key={name} path={joinPath(path, name)} name={name} {...rest} />
      ))}
      {next && <li className="py-1 pl-7 text-muted">The list shows the rest.</li>}
    </ul>
  );
}
