"use client";

import { useEffect } from "react";
import { Button } from "#app/_components/button.tsx";

const FOR_MS = 15_000;

export function UndoDelete({ onUndo, onDismiss }: { onUndo: () => void; onDismiss: () => void }) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: counted from when it appeared.
  useEffect(() => {
    const timer = setTimeout(onDismiss, FOR_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div
      role="status"
      className="fixed bottom-4 left-1/2 z-20 flex -translate-x-1/2 items-center gap-3 whitespace-nowrap rounded-lg border bg-surface py-1.5 pr-1.5 pl-4 text-sm shadow-lg"
    >
      Cell deleted.
      <Button size="small" onClick={onUndo}>
        Undo
      </Button>
      <Button size="small" look="quiet" onClick={onDismiss}>
        Dismiss
      </Button>
    </div>
  );
}
