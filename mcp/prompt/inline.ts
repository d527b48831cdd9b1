// Text of others inside our prompt: one line, bounded, and unable to open or close a section.

/** Angle brackets become look-alikes, so nothing in the text reads as one of our tags; line breaks and control,
 * zero-width and direction characters, which could hide text or begin a new line, become spaces. */
export function inline(text: string, most: number): string {
  const flat = text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ")
    .replace(/</g, "‹")
    .replace(/>/g, "›")
    .replace(/\s+/g, " ")
    .trim();
  const characters = [...flat];
  return characters.length > most ? `${characters.slice(0, most - 1).join("")}…` : flat;
}

/** As many lines as fit, and a last one that says how many didn't. */
export function listWithin(lines: string[], most: number, rest: (left: number) => string): string {
  let size = 0;
  const fitting = lines.findIndex((line) => {
    size += line.length + 1;
    return size > most;
  });
  return fitting < 0
    ? lines.join("\n")
    : [...lines.slice(0, fitting), rest(lines.length - fitting)].join("\n");
}
