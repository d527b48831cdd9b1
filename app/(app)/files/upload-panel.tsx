"use client";

import { CircleAlert, CircleCheck, CircleSlash, X } from "lucide-react";
import { Button } from "#app/_components/button.tsx";
import { formatBytes } from "#app/_components/format-bytes.ts";
import { displayName, nameOf } from "#lib/files/workspace-path.ts";
import type { Upload, Uploads } from "./use-uploads.ts";

/** What is being uploaded, and what became of it. */
export function UploadPanel({ uploads, missed, cancel, settle, clear }: Omit<Uploads, "add">) {
  if (uploads.length === 0 && missed.length === 0) return null;
  const open = uploads.filter(({ state }) => state === "waiting" || state === "sending").length;
  // Thousands of finished ones need no line each.
  const shown = uploads
    .filter(({ state }) => state !== "done")
    .concat(uploads.filter(({ state }) => state === "done"));
  return (
    <section
      aria-label="Uploads"
      className="fixed right-3 bottom-3 z-30 grid max-h-[50dvh] w-[min(24rem,calc(100vw-1.5rem))] grid-rows-[auto_1fr] overflow-hidden rounded-xl border bg-surface shadow-xl"
    >
      <header className="flex items-center justify-between border-b py-1.5 pr-1.5 pl-3">
        <h2 className="font-medium text-sm" aria-live="polite">
          {open > 0 ? `Uploading ${open} of ${uploads.length}` : "Uploads"}
        </h2>
        <Button
          look="quiet"
          size="small"
          onClick={clear}
          disabled={open === uploads.length && missed.length === 0}
        >
          Clear
        </Button>
      </header>
      <ul className="divide-y overflow-y-auto">
        {missed.slice(0, 5).map((sentence) => (
          <li key={sentence} className="break-words px-3 py-2 text-danger text-xs">
            {displayName(sentence)}
          </li>
        ))}
        {missed.length > 5 && (
          <li className="px-3 py-2 text-danger text-xs">
            and {missed.length - 5} more that could not be taken
          </li>
        )}
        {shown.slice(0, 50).map((upload) => (
          <li key={upload.id} className="grid gap-1 px-3 py-2 text-[13px]">
            <UploadLine upload={upload} cancel={cancel} settle={settle} />
          </li>
        ))}
        {shown.length > 50 && <li className="px-3 py-2 text-muted text-xs">and {shown.length - 50} more</li>}
      </ul>
    </section>
  );
}

function UploadLine({ upload, cancel, settle }: { upload: Upload } & Pick<Uploads, "cancel" | "settle">) {
  const { id, state, file, sentBytes } = upload;
  const name = displayName(nameOf(upload.path));
  return (
    <>
      <div className="flex items-center gap-2">
        <bdi className="min-w-0 flex-1 truncate" title={name}>
          {name}
        </bdi>
        {state === "sending" && (
          <span className="shrink-0 text-muted text-xs tabular-nums">
            {formatBytes(sentBytes)} of {formatBytes(file.size)}
          </span>
        )}
        {state === "done" && <CircleCheck className="size-4 text-accent" aria-label="Done" />}
        {state === "cancelled" && <CircleSlash className="size-4 text-muted" aria-label="Cancelled" />}
        {state === "failed" && <CircleAlert className="size-4 text-danger" aria-label="Failed" />}
        {(state === "sending" || state === "waiting") && (
          <button
            type="button"
            aria-label={`Cancel ${name}`}
            onClick={() => cancel(id)}
            className="rounded p-1 text-muted hover:bg-hover hover:text-ink"
          >
            <X className="size-4" aria-hidden />
          </button>
        )}
      </div>
      {state === "sending" && (
        <progress
          aria-label={`Upload of ${name}`}
          max={Math.max(1, file.size)}
          value={sentBytes}
          className="h-1 w-full overflow-hidden rounded-full [&::-webkit-progress-bar]:bg-hover [&::-webkit-progress-value]:bg-accent"
        />
      )}
      {state === "failed" && <p className="text-danger text-xs">{displayName(upload.problem ?? "")}</p>}
      {state === "exists" && (
        <div className="flex flex-wrap items-center gap-1.5">
          <span className="flex-1 text-muted text-xs">A file of that name is there already.</span>
          <Button size="small" onClick={() => settle(id, "replace")}>
            Replace
          </Button>
          <Button size="small" onClick={() => settle(id, "keep both")}>
            Keep both
          </Button>
          <Button size="small" look="quiet" onClick={() => cancel(id)}>
            Skip
          </Button>
        </div>
      )}
    </>
  );
}
