// A tool's result as the model reads it: words, not JSON, and no more of them than a context can bear.
import { anyExecutionView, describeExecution } from "#mcp/tools/execution-view.ts";
import { clipped } from "./shown-output.ts";

const MOST = 24_000;

/** What the tool itself says about its result. */
export function modelText(text: string): string {
  return clipped(text, MOST);
}

/** The same from what a conversation kept of an earlier result. */
export function recalledText(output: unknown): string {
  const view = anyExecutionView.safeParse(output);
  if (!view.success) return modelText(typeof output === "string" ? output : (JSON.stringify(output) ?? ""));
  const shown = view.data.results?.map(({ mime, text }) => (text ? plain(mime, text) : `[${mime}]`));
  return modelText(describeExecution(view.data, shown));
}

function plain(mime: string, text: string): string {
  return mime === "text/html"
    ? text
        .replace(/<[^>]*>/g, " ")
        .replace(/\s+/g, " ")
        .trim()
    : text;
}
