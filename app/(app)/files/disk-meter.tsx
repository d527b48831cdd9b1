"use client";

import clsx from "clsx";
import { useEffect, useState } from "react";
import { formatBytes } from "#app/_components/format-bytes.ts";
import { ask } from "#app/_http/ask.ts";
import type { DiskUse } from "#lib/files/disk-use.ts";
import type { Beat } from "./use-pulse.ts";

export function useDiskUse(beat: Beat): DiskUse | undefined {
  const [use, setUse] = useState<DiskUse>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a beat is the reason to look again.
  useEffect(() => {
    const stopped = new AbortController();
    ask<DiskUse>("/api/files/disk", { signal: stopped.signal }).then(setUse, () => undefined);
    return () => stopped.abort();
  }, [beat]);
  return use;
}

/** How full the workspace is. */
export function DiskMeter({ use }: { use: DiskUse | undefined }) {
  if (!use) return <div className="h-9" />;
  const share = Math.min(1, use.usedBytes / use.totalBytes);
  const full = share > 0.9;
  return (
    <div className="grid gap-1.5 text-xs">
      <div className="flex justify-between gap-2 text-muted">
        <span className={clsx(full && "text-danger")}>
          {formatBytes(use.usedBytes)} of {formatBytes(use.totalBytes)}
        </span>
        {use.quota === "soft" && (
          <span title="Checked now and then, not enforced by a disk of its own">soft quota</span>
        )}
      </div>
      <meter
        aria-label="Disk use"
        aria-valuetext={`${formatBytes(use.usedBytes)} of ${formatBytes(use.totalBytes)}`}
        max={use.totalBytes}
        value={use.usedBytes}
        className="sr-only"
      />
      <div aria-hidden className="h-1.5 overflow-hidden rounded-full bg-hover">
        <div
          className={clsx("h-full rounded-full", full ? "bg-danger" : "bg-accent")}
          style={{ width: `${Math.max(1, share * 100)}%` }}
        />
      </div>
    </div>
  );
}
