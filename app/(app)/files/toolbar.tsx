"use client";

import {
  Download,
  Eye,
  EyeOff,
  FilePlus,
  FolderInput,
  FolderPlus,
  RotateCw,
  Trash2,
  Upload,
  X,
} from "lucide-react";
import { type ReactNode, useRef } from "react";
import { Button, buttonClass } from "#app/_components/button.tsx";
import type { NamedFile } from "./dropped-files.ts";

/** What can be done with the folder. */
export function FolderTools({
  hidden,
  onHidden,
  onRefresh,
  onFiles,
  onNew,
}: {
  hidden: boolean;
  onHidden: () => void;
  onRefresh: () => void;
  onFiles: (files: NamedFile[]) => void;
  onNew: (kind: "new-file" | "new-folder") => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <IconButton label={hidden ? "Don't show hidden files" : "Show hidden files"} onClick={onHidden}>
        {hidden ? <Eye className="size-4" aria-hidden /> : <EyeOff className="size-4" aria-hidden />}
      </IconButton>
      <IconButton label="Refresh" onClick={onRefresh}>
        <RotateCw className="size-4" aria-hidden />
      </IconButton>
      <IconButton label="New file" onClick={() => onNew("new-file")}>
        <FilePlus className="size-4" aria-hidden />
      </IconButton>
      <IconButton label="New folder" onClick={() => onNew("new-folder")}>
        <FolderPlus className="size-4" aria-hidden />
      </IconButton>
      <Button look="primary" size="small" onClick={() => input.current?.click()}>
        <Upload className="size-3.5" aria-hidden /> Upload
      </Button>
      <input
        ref={input}
        type="file"
        multiple
        aria-label="Files to upload"
        className="hidden"
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])].map((file) => ({ name: file.name, file })));
          target.value = "";
        }}
      />
    </>
  );
}

/** What can be done with the selection; it takes the folder's place while something is selected. */
export function SelectionTools({
  count,
  zipHref,
  onMove,
  onDelete,
  onClear,
}: {
  count: number;
  zipHref?: string;
  onMove: () => void;
  onDelete: () => void;
  onClear: () => void;
}) {
  return (
    <>
      <span className="whitespace-nowrap text-[13px] text-muted" aria-live="polite">
        {count} selected
      </span>
      {zipHref && (
        <a href={zipHref} download className={buttonClass({ size: "small" })}>
          <Download className="size-3.5" aria-hidden /> <span className="max-md:sr-only">Download zip</span>
        </a>
      )}
      <Button size="small" onClick={onMove}>
        <FolderInput className="size-3.5" aria-hidden /> <span className="max-md:sr-only">Move…</span>
      </Button>
      <Button size="small" onClick={onDelete}>
        <Trash2 className="size-3.5" aria-hidden /> <span className="max-md:sr-only">Delete…</span>
      </Button>
      <IconButton label="Clear the selection" onClick={onClear}>
        <X className="size-4" aria-hidden />
      </IconButton>
    </>
  );
}

function IconButton({
  label,
  onClick,
  children,
}: {
  label: string;
  onClick: () => void;
  children: ReactNode;
}) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      onClick={onClick}
      className="grid size-8 shrink-0 place-items-center rounded-md text-muted hover:bg-hover hover:text-ink"
    >
      {children}
    </button>
  );
}
