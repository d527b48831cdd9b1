import { FileOutput } from "lucide-react";
import Link from "next/link";
import { formatBytes } from "#app/_components/format-bytes.ts";
import { SkippedNote } from "#app/_results/skipped-note.tsx";
import type { RunDetail } from "#lib/history/read-run.ts";

/** The files and pictures that came of it, and what was not kept of them. */
export function Made({ artifacts, skipped }: { artifacts: RunDetail["artifacts"]; skipped: string | null }) {
  if (artifacts.length === 0 && !skipped) return null;
  return (
    <section aria-labelledby="artifacts" className="grid gap-2">
      <h3 id="artifacts" className="font-medium text-sm">
        Artifacts
      </h3>
      {artifacts.length > 0 && (
        <ul className="divide-y rounded-lg border bg-surface">
          {artifacts.map(({ id, path, mime, size }) => (
            <li key={id}>
              <Link
                href={`/artifacts/${id}`}
                className="flex items-center gap-2.5 px-3 py-2 text-sm hover:bg-hover"
              >
                <FileOutput className="size-4 shrink-0 text-accent" aria-hidden />
                <span className="min-w-0 flex-1 truncate">{path}</span>
                <span className="text-muted text-xs max-sm:hidden">{mime}</span>
                <span className="text-muted text-xs tabular-nums">{formatBytes(size)}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
      <SkippedNote sentence={skipped} />
    </section>
  );
}
