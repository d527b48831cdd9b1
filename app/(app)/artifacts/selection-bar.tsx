"use client";

import { Download, Trash2, X } from "lucide-react";
import { useState } from "react";
import { Button, buttonClass, IconButton } from "#app/_components/button.tsx";
import { Dialog } from "#app/_components/dialog.tsx";
import { ask } from "#app/_http/ask.ts";
import { MOST_ZIPPED } from "#lib/artifacts/most-zipped.ts";

/** What can be done with several at once. */
export function SelectionBar({
  ids,
  onClear,
  onDeleted,
}: {
  ids: string[];
  onClear: () => void;
  onDeleted: () => void;
}) {
  const [asking, setAsking] = useState(false);
  const count = ids.length === 1 ? "one artifact" : `${ids.length} artifacts`;
  return (
    <section
      aria-label="Selection"
      className="fixed inset-x-0 bottom-4 z-20 mx-auto flex w-max max-w-[calc(100vw-2rem)] items-center gap-2 rounded-xl border bg-surface py-2 pr-2 pl-4 shadow-xl md:left-56"
    >
      <span className="text-sm" aria-live="polite">
        {ids.length} selected
      </span>
      {ids.length <= MOST_ZIPPED ? (
        <a
          href={`/api/artifacts/zip?ids=${ids.join(",")}`}
          download
          className={buttonClass({ look: "primary", size: "small" })}
        >
          <Download className="size-3.5" aria-hidden /> Download zip
        </a>
      ) : (
        <span className="text-muted text-xs">A zip takes {MOST_ZIPPED} at most</span>
      )}
      <Button size="small" onClick={() => setAsking(true)}>
        <Trash2 className="size-3.5" aria-hidden /> Delete…
      </Button>
      <IconButton icon={X} label="Clear the selection" onClick={onClear} />
      {asking && (
        <Dialog
          title={`Delete ${count}?`}
          about="All their versions go, and links to them stop working. Files in the workspace stay."
          submit="Delete"
          danger
          onClose={() => setAsking(false)}
          onSubmit={async () => {
            for (let at = 0; at < ids.length; at += 1000) {
              await ask("/api/artifacts", { method: "DELETE", body: { ids: ids.slice(at, at + 1000) } });
            }
            onDeleted();
          }}
        />
      )}
    </section>
  );
}
