import clsx from "clsx";
import { CircleAlert, Paperclip, X } from "lucide-react";
import type { Attachment } from "./use-attachments.ts";

export function AttachmentChips({
  attachments,
  onRemove,
}: {
  attachments: Attachment[];
  onRemove: (key: number) => void;
}) {
  if (attachments.length === 0) return null;
  return (
    <ul aria-label="Attached files" className="flex flex-wrap gap-1.5 px-2.5 pt-2.5">
      {attachments.map(({ key, name, progress, path, problem }) => (
        <li
          key={key}
          className={clsx(
            "relative flex h-7 min-w-0 max-w-64 items-center gap-1.5 overflow-hidden rounded-md border bg-canvas pl-2 text-xs",
            problem && "border-danger text-danger",
          )}
        >
          {problem ? (
            <CircleAlert className="size-3.5 shrink-0" aria-hidden />
          ) : (
            <Paperclip className="size-3 shrink-0 text-muted" aria-hidden />
          )}
          <span className="truncate" title={problem ?? path ?? name}>
            {problem ? `${name}: ${problem}` : name}
          </span>
          <button
            type="button"
            aria-label={`Remove ${name}`}
            onClick={() => onRemove(key)}
            className="grid h-full w-6 shrink-0 place-items-center text-muted hover:bg-hover hover:text-ink"
          >
            <X className="size-3" aria-hidden />
          </button>
          {!path && !problem && (
            <progress
              aria-label={`Uploading ${name}`}
              value={progress}
              max={1}
              className="absolute inset-x-0 bottom-0 h-0.5 w-full appearance-none bg-transparent [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-transparent [&::-webkit-progress-value]:bg-accent"
            />
          )}
        </li>
      ))}
    </ul>
  );
}
