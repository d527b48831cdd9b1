const HEAD = 20;
const TAIL = 20;
const LIVE = 200;
// A browser takes seconds to lay out more.
const MOST_CHARACTERS = 400_000;

/** The part of a long text that is worth its space: both ends of what has ended, the end of what still grows. */
export function folded(
  text: string,
  { open, live }: { open: boolean; live: boolean },
): { text: string; hidden: number } {
  if (open) return { text: shortened(text, MOST_CHARACTERS), hidden: 0 };
  const lines = text.split("\n");
  if (live) return { text: shortened(lines.slice(-LIVE).join("\n"), 40_000), hidden: 0 };
  if (lines.length <= HEAD + TAIL + 5) return { text: shortened(text, 40_000), hidden: 0 };
  const hidden = lines.length - HEAD - TAIL;
  const kept = [...lines.slice(0, HEAD), `⋯ ${hidden.toLocaleString("en")} lines ⋯`, ...lines.slice(-TAIL)];
  return { text: shortened(kept.join("\n"), 40_000), hidden };
}

function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${text.slice(0, most / 2)}\n⋯ ${(text.length - most).toLocaleString("en")} characters ⋯\n${text.slice(-most / 2)}`;
}
