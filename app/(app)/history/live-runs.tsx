"use client";

import { Square } from "lucide-react";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useEffect, useRef } from "react";
import { Notice } from "#app/_components/notice.tsx";
import { When } from "#app/_components/time-ago.tsx";
import { usePoll } from "#app/_http/queries.tsx";
import { StatusBadge } from "#app/_results/status-badge.tsx";
import { StopRun } from "./stop-run.tsx";
import type { RunItem } from "./tool-labels.ts";

const EVERY_MS = 2_000;

/** What runs now. Also keeps the list below up to date: whatever changes here changes there. */
export function LiveRuns({ initial, newest }: { initial: RunItem[]; newest?: string }) {
  const router = useRouter();
  const { data, problem } = usePoll<{ live: RunItem[]; newest?: string }>("/api/history/live", EVERY_MS);
  const live = data?.live ?? initial;
  const seen = useRef(signature(initial, newest));

  useEffect(() => {
    if (!data) return;
    const now = signature(data.live, data.newest);
    if (now === seen.current) return;
    seen.current = now;
    router.refresh();
  }, [data, router]);

  return (
    <>
      {problem && data && <Notice kind="problem">{problem} The list may be out of date.</Notice>}
      {live.length > 0 && (
        <section
          aria-label="Running now"
          className="overflow-hidden rounded-lg border border-accent/40 bg-surface"
        >
          <h2 className="border-b bg-accent-soft px-3 py-1.5 font-medium text-accent text-xs">
            {live.length === 1 ? "One run is live" : `${live.length} runs are live`}
          </h2>
          <ul className="divide-y">
            {live.map((run) => (
              <li key={run.id} className="flex items-center gap-3 px-3 py-2">
                <StatusBadge status={run.status} />
                <Link href={`/history/${run.id}`} className="min-w-0 flex-1 truncate hover:underline">
                  <span className="mr-1 text-muted text-xs">{run.label}</span>{" "}
                  <span className="font-mono text-[13px]">{run.summary}</span>
                </Link>
                <When at={run.createdAt} className="text-muted text-xs max-sm:hidden" />
                <StopRun id={run.id}>
                  <Square className="size-3 fill-current" aria-hidden /> Stop
                </StopRun>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

/** What the rest of the page depends on: the youngest that has ended, and whether anything runs. */
function signature(live: RunItem[], newest: string | undefined): string {
  return `${newest} ${live.length > 0}`;
}
