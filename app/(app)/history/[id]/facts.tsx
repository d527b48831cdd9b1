import Link from "next/link";
import type { ReactNode } from "react";
import { formatBytes } from "#app/_components/format-bytes.ts";
import { durationText } from "#app/_results/duration.tsx";
import type { RunDetail } from "#lib/history/read-run.ts";
import { doorLabel } from "../labels.ts";

/** When, where, how long, with how much. */
export function Facts({ run }: { run: RunDetail }) {
  return (
    <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-lg border bg-line sm:grid-cols-4">
      <Fact name="Started (UTC)">{run.createdAt.toISOString().slice(0, 19).replace("T", " ")}</Fact>
      <Fact name="Took">{run.durationMs === null ? "–" : durationText(run.durationMs)}</Fact>
      <Fact name="CPU time">{run.cpuMs === null ? "–" : durationText(run.cpuMs)}</Fact>
      <Fact name="Peak memory">{run.memoryBytes === null ? "–" : formatBytes(run.memoryBytes)}</Fact>
      <Fact name="Door">{doorLabel(run.door)}</Fact>
      <Fact name="Session">{run.session ?? "–"}</Fact>
      <Fact name="Exit code">{run.exitCode ?? "–"}</Fact>
      <Fact name="Conversation">
        {run.conversationId ? (
          <Link href={`/chat/${run.conversationId}`} className="text-accent hover:underline">
            {run.conversationTitle || "Untitled chat"}
          </Link>
        ) : (
          "–"
        )}
      </Fact>
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0 bg-surface px-3 py-2">
      <dt className="text-muted text-xs">{name}</dt>
      <dd className="truncate text-sm tabular-nums">{children}</dd>
    </div>
  );
}
