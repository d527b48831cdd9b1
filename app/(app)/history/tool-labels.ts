// What tools are called in the history. For the server: the catalogue is no thing for a browser, which gets the words.
import type { RunSummary } from "#lib/history/history.ts";
import { everyTool, findAnyTool } from "#mcp/tools/catalogue.ts";
import type { Tool } from "#mcp/tools/tool.ts";
import { CHANGES } from "./labels.ts";

/** Of everything that is ever on record: tools, those of further sets, and changes made by hand. */
export function toolLabels(): Record<string, string> {
  const recorded = everyTool().filter((tool) => tool.recorded);
  return { ...Object.fromEntries(recorded.map((tool) => [tool.name, labelOf(tool)])), ...CHANGES };
}

export function toolLabel(name: string): string {
  const tool = findAnyTool(name);
  if (tool) return labelOf(tool);
  return (Object.hasOwn(CHANGES, name) ? CHANGES[name] : undefined) ?? name;
}

function labelOf({ presentation: { label, title } }: Tool): string {
  return label ?? title;
}

/** A run as the browser gets it, with what its tool is called. */
export type RunItem = Omit<RunSummary, "createdAt"> & { createdAt: string; label: string };

export function toItem({ createdAt, ...run }: RunSummary): RunItem {
  return { ...run, createdAt: createdAt.toISOString(), label: toolLabel(run.tool) };
}
