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
