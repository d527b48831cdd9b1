"use client";

import { Upload } from "lucide-react";
import type { ReactNode } from "react";
import { useFileDrop } from "#app/_components/use-file-drop.ts";
import { type Dropped, droppedFiles } from "./dropped-files.ts";

/** The whole page takes files that are dragged over it. */
export function DropZone({
  into,
  onFiles,
  children,
}: {
  into: string;
  onFiles: (dropped: Dropped) => void;
  children: ReactNode;
}) {
  const { isOver, handlers } = useFileDrop((data) => void droppedFiles(data).then(onFiles));
  return (
    <section aria-label="Workspace" className="relative flex min-h-0 min-w-0 flex-1 flex-col" {...handlers}>
      {children}
      {isOver && (
        <div className="pointer-events-none absolute inset-2 z-20 grid place-items-center rounded-xl border-2 border-accent border-dashed bg-accent-soft/85">
          <p className="flex items-center gap-2 font-medium text-accent">
            <Upload className="size-5" aria-hidden /> Drop to upload into {into}
          </p>
        </div>
      )}
    </section>
  );
}
