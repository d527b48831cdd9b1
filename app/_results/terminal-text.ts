// What a program printed, as text to show.

// Control sequences (colours, cursor), operating system commands (titles, links), and the other two-character escapes.
const ESCAPES =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for.
  /\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\|$)|\x1b[PX^_][^\x1b]*(?:\x1b\\|$)|\x1b[ -/]*[0-~]?/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for.
const CONTROLS = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/g;

// Lines, of what is folded and of what still grows.
const HEAD = 20;
const TAIL = 20;
const LIVE = 200;
// A browser takes seconds to lay out more.
const MOST_CHARACTERS = 400_000;

/** Nothing in it moves a cursor, colours, or rings a bell. */
export function inertText(text: string): string {
  const plain = text.replace(ESCAPES, "").replace(/\r\n/g, "\n");
  return (plain.includes("\r") ? overwritten(plain) : plain).replace(CONTROLS, "\ufffd");
}

/** A progress bar draws over its own line; what it drew last is what a terminal would show. */
function overwritten(text: string): string {
  return text
    .split("\n")
    .map((line) => line.split("\r").findLast(Boolean) ?? "")
    .join("\n");
}

/** The part of a long text that is worth its space: both ends of what has ended, the end of what still grows. */
export function foldText(
  text: string,
  { open, live }: { open: boolean; live: boolean },
): { text: string; hidden: number } {
  if (open) return { text: shortened(text, MOST_CHARACTERS), hidden: 0 };
  const lines = text.split("\n");
  if (live) return { text: shortened(lines.slice(-LIVE).join("\n"), 40_000), hidden: 0 };
  if (lines.length <= HEAD + TAIL + 5) return { text: shortened(text, 40_000), hidden: 0 };
  const hidden = lines.length - HEAD - TAIL;
  const ends = [...lines.slice(0, HEAD), `⋯ ${hidden.toLocaleString("en")} lines ⋯`, ...lines.slice(-TAIL)];
  return { text: shortened(ends.join("\n"), 40_000), hidden };
}

function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${text.slice(0, most / 2)}\n⋯ ${(text.length - most).toLocaleString("en")} characters ⋯\n${text.slice(-most / 2)}`;
}
