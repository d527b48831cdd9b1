import { FileOutput, ShieldX } from "lucide-react";
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

/** What the network policy refused meanwhile, and why. */
export function Denials({ denials }: { denials: { host: string; port: number; message: string }[] }) {
  if (denials.length === 0) return null;
  return (
    <section aria-labelledby="denials" className="grid gap-2">
      <h3 id="denials" className="font-medium text-sm">
        Refused by the network policy
      </h3>
      <ul className="divide-y rounded-lg border bg-surface">
        {denials.map(({ host, port, message }) => (
          <li key={`${host}:${port}:${message}`} className="flex gap-2.5 px-3 py-2 text-sm">
            <ShieldX className="mt-0.5 size-4 shrink-0 text-danger" aria-hidden />
            <div className="min-w-0">
              <p className="break-all font-mono text-[13px]">
                {host}:{port}
              </p>
              <p className="text-muted text-xs">{message}</p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
