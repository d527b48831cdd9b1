// A tool's result as a conversation keeps it, structured, and as the model reads it, in words: both bounded, whatever the program
// printed or displayed.
import { anyExecutionView, describeExecution } from "#mcp/tools/execution-view.ts";

const MOST_TEXT = 64 * 1024;
const MOST_IMAGE = 512 * 1024;
const MOST_IMAGES = 2 * 2 ** 20;
const MOST_RESULTS = 50;
// What a context can bear.
const MOST_FOR_MODEL = 24_000;

type Fields = Record<string, unknown>;

export function shownOutput(structured: Fields): Fields {
  const shown: Fields = {};
  for (const [name, value] of Object.entries(structured)) {
    shown[name] = typeof value === "string" ? clipped(value, MOST_TEXT) : value;
  }
  if (Array.isArray(structured.results)) shown.results = results(structured.results);
  return shown;
}

/** The beginning and the end, with a line between them that says how much is missing. */
export function clipped(text: string, most: number): string {
  if (text.length <= most) return text;
  const head = text.slice(0, most * 0.6);
  const end = text.slice(-most * 0.4);
  return `${head}\n… ${text.length - head.length - end.length} characters left out …\n${end}`;
}

/** What the tool itself says about its result. */
export function modelText(text: string): string {
  return clipped(text, MOST_FOR_MODEL);
}

/** The same from what a conversation kept of an earlier result. */
export function recalledText(output: unknown): string {
  const view = anyExecutionView.safeParse(output);
  if (!view.success) return modelText(typeof output === "string" ? output : (JSON.stringify(output) ?? ""));
  const shown = view.data.results?.map(({ mime, text }) => (text ? plain(mime, text) : `[${mime}]`));
  return modelText(describeExecution(view.data, shown));
}

function results(given: unknown[]): unknown[] {
  let room = MOST_IMAGES;
  return given.slice(0, MOST_RESULTS).map((result) => {
    const { data, text, ...rest } = result as Fields;
    if (typeof data === "string") {
      if (data.length > MOST_IMAGE || data.length > room) {
        return { ...rest, text: `[a picture of ${Math.round((data.length * 3) / 4096)} KB, not kept here]` };
      }
      room -= data.length;
      return { ...rest, data };
    }
    return { ...rest, ...(typeof text === "string" && { text: clipped(text, MOST_TEXT) }) };
  });
}

function plain(mime: string, text: string): string {
  return mime === "text/html"
    ? text
        .replace(/<[^>]*>/g, " ")
        .replace(/\s+/g, " ")
        .trim()
    : text;
}
