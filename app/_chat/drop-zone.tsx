"use client";

import { FileUp } from "lucide-react";
import type { ReactNode } from "react";
import { useFileDrop } from "#app/_components/use-file-drop.ts";

/** Takes files that are dropped anywhere on it; the button beside the message does the same by keyboard. */
export function DropZone({ onFiles, children }: { onFiles: (files: File[]) => void; children: ReactNode }) {
  const { isOver, handlers } = useFileDrop(({ files }) => onFiles([...files]));
  return (
    <div className="relative flex min-h-0 flex-1 flex-col" {...handlers}>
      {children}
      {isOver && (
        <div className="pointer-events-none absolute inset-2 z-10 grid place-items-center rounded-xl border-2 border-accent border-dashed bg-canvas/85">
          <p className="flex items-center gap-2 font-medium text-accent">
            <FileUp className="size-5" aria-hidden /> Drop files to put them into the workspace
          </p>
        </div>
      )}
    </div>
  );
}
