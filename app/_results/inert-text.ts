// What a program printed, as text that is safe to show: nothing in it moves a cursor, colours, or rings a bell.

// Control sequences (colours, cursor), operating system commands (titles, links), and the other two-character escapes.
const ESCAPES =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for.
  /\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\|$)|\x1b[PX^_][^\x1b]*(?:\x1b\\|$)|\x1b[ -/]*[0-~]?/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for.
const CONTROLS = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/g;

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
