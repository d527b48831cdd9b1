import type { RunSummary } from "#lib/history/history.ts";

/** A run as the browser gets it. */
export type RunItem = Omit<RunSummary, "createdAt"> & { createdAt: string };

export function toItem({ createdAt, ...run }: RunSummary): RunItem {
  return { ...run, createdAt: createdAt.toISOString() };
}
