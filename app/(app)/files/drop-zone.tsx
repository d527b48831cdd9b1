"use client";

import { Upload } from "lucide-react";
import { type ReactNode, useRef, useState } from "react";
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
  const [over, setOver] = useState(false);
  // Every element that is entered on the way is left again; only the last leaving counts.
  const depth = useRef(0);
  const carriesFiles = (event: React.DragEvent) => event.dataTransfer.types.includes("Files");
  return (
    <section
      aria-label="Workspace"
      className="relative flex min-h-0 min-w-0 flex-1 flex-col"
      onDragEnter={(event) => {
        if (!carriesFiles(event)) return;
        event.preventDefault();
        depth.current += 1;
        setOver(true);
      }}
      onDragOver={(event) => carriesFiles(event) && event.preventDefault()}
      onDragLeave={(event) => {
        if (!carriesFiles(event)) return;
        depth.current -= 1;
        if (depth.current <= 0) setOver(false);
      }}
      onDrop={(event) => {
        if (!carriesFiles(event)) return;
        event.preventDefault();
        depth.current = 0;
        setOver(false);
        void droppedFiles(event.dataTransfer).then(onFiles);
      }}
    >
      {children}
      {over && (
        <div className="pointer-events-none absolute inset-2 z-20 grid place-items-center rounded-xl border-2 border-accent border-dashed bg-accent-soft/85">
          <p className="flex items-center gap-2 font-medium text-accent">
            <Upload className="size-5" aria-hidden /> Drop to upload into {into}
          </p>
        </div>
      )}
    </section>
  );
}
