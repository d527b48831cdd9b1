export interface CodeBlock {
  language: string;
  code: string;
  /** Where it begins in its file, counted from 1. */
  line: number;
}

/** The fenced blocks of a Markdown file, in order. */
export function codeBlocks(markdown: string): CodeBlock[] {
  return [...markdown.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map((match) => ({
    language: match[1] ?? "",
    code: match[2] ?? "",
    line: markdown.slice(0, match.index).split("\n").length,
  }));
}

/** The first block below a heading. */
export function blockUnder(markdown: string, heading: string): string {
  const below = markdown.split(/^#+ /m).find((section) => section.startsWith(`${heading}\n`));
  const [block] = codeBlocks(below ?? "");
  if (!block) throw new Error(`There is no code under "${heading}".`);
  return block.code;
}
