// The words of code and output, to search by. What a run printed decides nothing about how much is kept of it.
const LOOKED_AT = 20_000;
const LONGEST = 40;

/** Distinct, in lower case, in the order they come. */
export function wordsOf(text: string, most: number): string[] {
  const words = new Set<string>();
  for (const [word] of text
    .slice(0, LOOKED_AT)
    .toLowerCase()
    .matchAll(/[\p{L}\p{N}]+/gu)) {
    words.add([...word].slice(0, LONGEST).join(""));
    if (words.size >= most) break;
  }
  return [...words];
}
