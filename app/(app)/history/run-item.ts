import type { RunSummary } from "#lib/history/history.ts";
import { toolLabel } from "./tool-labels.ts";

/** A run as the browser gets it, with what its tool is called. */
export type RunItem = Omit<RunSummary, "createdAt"> & { createdAt: string; label: string };

export function toItem({ createdAt, ...run }: RunSummary): RunItem {
  return { ...run, createdAt: createdAt.toISOString(), label: toolLabel(run.tool) };
}
