import { FileDown, ShieldAlert } from "lucide-react";
import { SkippedNote } from "#app/_results/skipped-note.tsx";
import type { ToolOutcome } from "./tool-outcome.ts";

/** What a run leaves behind: files one can take away, those that weren't kept, and what the network policy refused. */
export function ToolAftermath({ outcome: { artifacts, skipped, denied } }: { outcome: ToolOutcome }) {
  return (
    <>
      {artifacts.length > 0 && (
        <ul className="flex flex-wrap gap-1.5 border-t px-3 py-2">
          {artifacts.map(({ id, path }) => {
            const name = path.slice(path.lastIndexOf("/") + 1);
            return (
              <li key={id}>
                <a
                  href={`/artifacts/${encodeURIComponent(id)}/${encodeURIComponent(name)}`}
                  target="_blank"
                  rel="noopener"
                  className="flex h-7 items-center gap-1.5 rounded-md border bg-canvas px-2 text-xs hover:bg-hover"
                >
                  <FileDown className="size-3.5 text-muted" aria-hidden />
                  {name}
                </a>
              </li>
            );
          })}
        </ul>
      )}
      <SkippedNote sentence={skipped} className="border-t px-3 py-2" />
      {denied.map((sentence) => (
        <p key={sentence} className="flex items-start gap-2 border-t px-3 py-2 text-muted text-xs">
          <ShieldAlert className="mt-px size-3.5 shrink-0 text-danger" aria-hidden />
          {sentence}
        </p>
      ))}
    </>
  );
}
