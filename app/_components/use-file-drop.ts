"use client";

import { type DragEvent, useRef, useState } from "react";

/** Takes files that are dropped anywhere on the element that gets the `handlers`. */
export function useFileDrop(onDrop: (data: DataTransfer) => void) {
  // Entering a child leaves its parent: only the count tells whether the pointer is still inside.
  const depth = useRef(0);
  const [isOver, setOver] = useState(false);

  const move = (to: number) => {
    depth.current = to;
    setOver(to > 0);
  };
  // The browser would open a file itself; what else is dragged is its own business.
  const takes = (event: DragEvent) => {
    const isFile = event.dataTransfer.types.includes("Files");
    if (isFile) event.preventDefault();
    return isFile;
  };
  return {
    isOver,
    handlers: {
      onDragEnter: (event: DragEvent) => takes(event) && move(depth.current + 1),
      onDragOver: (event: DragEvent) => void takes(event),
      onDragLeave: (event: DragEvent) => takes(event) && move(depth.current - 1),
      onDrop: (event: DragEvent) => {
        if (!takes(event)) return;
        move(0);
        onDrop(event.dataTransfer);
      },
    },
  };
}
