// What the history keeps of a call besides the call itself: a line for lists, words for the search. What a run printed decides
// nothing about how much is kept of it.

const LONGEST_SUMMARY = 160;
const MOST_WORDS_OF_A_CALL = 160;
const MOST_WORDS_OF_OUTPUT = 80;

export function searchableCall(tool: string, given: unknown): { summary: string; words: string[] } {
  const texts = textsIn(given);
  const line = texts.flatMap((text) => text.slice(0, 10_000).split("\n")).find((text) => text.trim() !== "");
  return {
    summary: inert((line?.trim() ?? tool).slice(0, LONGEST_SUMMARY)),
    words: wordsOf(texts.join("\n"), MOST_WORDS_OF_A_CALL),
  };
}

export function searchableOutput({ stdout, stderr }: { stdout: Buffer; stderr: Buffer }): string[] {
  const head = (bytes: Buffer) => bytes.subarray(0, 10_000).toString("utf8");
  return wordsOf(`${head(stderr)}\n${head(stdout)}`, MOST_WORDS_OF_OUTPUT);
}

const MOST_CHARACTERS = 20_000;
const LONGEST_WORD = 40;

/** Distinct, in lower case, in the order they come. */
export function wordsOf(text: string, most: number): string[] {
  const words = new Set<string>();
  for (const [word] of text
    .slice(0, MOST_CHARACTERS)
    .toLowerCase()
    .matchAll(/[\p{L}\p{N}]+/gu)) {
    words.add([...word].slice(0, LONGEST_WORD).join(""));
    if (words.size >= most) break;
  }
  return [...words];
}

/** The texts of a call, code and commands first as tools list them. */
function textsIn(given: unknown): string[] {
  if (typeof given !== "object" || given === null) return [];
  return Object.values(given).flatMap((value) =>
    typeof value === "string" ? [value] : Array.isArray(value) ? [value.filter(isText).join(" ")] : [],
  );
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

/** No control characters, which Postgres (NUL) or a terminal would act on, and no halves of characters. */
function inert(text: string): string {
  return text.toWellFormed().replace(/\p{Cc}/gu, "\uFFFD");
}
