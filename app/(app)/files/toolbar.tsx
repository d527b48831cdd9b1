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
import { useRef } from "react";
import { Button, buttonClass, IconButton } from "#app/_components/button.tsx";
import { chosenFiles, type Dropped } from "./dropped-files.ts";

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
  onFiles: (dropped: Dropped) => void;
  onNew: (kind: "new-file" | "new-folder") => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <IconButton
        icon={hidden ? Eye : EyeOff}
        label={hidden ? "Don't show hidden files" : "Show hidden files"}
        onClick={onHidden}
      />
      <IconButton icon={RotateCw} label="Refresh" onClick={onRefresh} />
      <IconButton icon={FilePlus} label="New file" onClick={() => onNew("new-file")} />
      <IconButton icon={FolderPlus} label="New folder" onClick={() => onNew("new-folder")} />
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
          onFiles(chosenFiles(target.files ?? []));
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
      <IconButton icon={X} label="Clear the selection" onClick={onClear} />
    </>
  );
}
