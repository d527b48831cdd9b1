"use client";

import { FileUp } from "lucide-react";
import { type ReactNode, useRef, useState } from "react";

/** Takes files that are dropped anywhere on it. */
export function DropZone({ onFiles, children }: { onFiles: (files: File[]) => void; children: ReactNode }) {
  // Entering a child leaves its parent: only the count tells whether the pointer is still inside.
  const depth = useRef(0);
  const [over, setOver] = useState(false);
  const move = (by: number) => {
    depth.current += by;
    setOver(depth.current > 0);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button beside the message does the same by keyboard.
    <div
      className="relative flex min-h-0 flex-1 flex-col"
      onDragEnter={(event) => event.dataTransfer.types.includes("Files") && move(1)}
      onDragLeave={(event) => event.dataTransfer.types.includes("Files") && move(-1)}
      onDragOver={(event) => event.dataTransfer.types.includes("Files") && event.preventDefault()}
      onDrop={(event) => {
        if (!event.dataTransfer.types.includes("Files")) return;
        event.preventDefault();
        depth.current = 0;
        setOver(false);
        onFiles([...event.dataTransfer.files]);
      }}
    >
      {children}
      {over && (
        <div className="pointer-events-none absolute inset-2 z-10 grid place-items-center rounded-xl border-2 border-accent border-dashed bg-canvas/85">
          <p className="flex items-center gap-2 font-medium text-accent">
            <FileUp className="size-5" aria-hidden /> Drop files to put them into the workspace
          </p>
        </div>
      )}
    </div>
  );
}
