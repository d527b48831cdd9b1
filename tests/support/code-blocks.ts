export interface CodeBlock {
  language: string;
  code: string;
  /** Where it begins in its file, counted from 1. */
  line: number;
}

/** The fenced blocks of a Markdown file, in order: of backticks or tildes, indented, with whatever follows the language. */
export function codeBlocks(markdown: string): CodeBlock[] {
  const blocks: CodeBlock[] = [];
  let open: { fence: string; indent: number; block: CodeBlock } | undefined;
  for (const [index, text] of markdown.split("\n").entries()) {
    const [, indent = "", fence = "", info = ""] = /^(\s*)(`{3,}|~{3,})(.*)$/.exec(text) ?? [];
    if (!open) {
      if (!fence || (fence.startsWith("`") && info.includes("`"))) continue;
      const language = /[\w+-]+/.exec(info)?.[0] ?? "";
      open = { fence, indent: indent.length, block: { language, code: "", line: index + 1 } };
      blocks.push(open.block);
    } else if (fence.startsWith(open.fence) && !info.trim()) {
      open = undefined;
    } else {
      // As much of the indentation as the fence has is the document's, the rest is the code's.
      open.block.code += `${text.replace(new RegExp(`^\\s{0,${open.indent}}`), "")}\n`;
    }
  }
  return blocks;
}

/** The first block below a heading. */
export function blockUnder(markdown: string, heading: string): string {
  const below = markdown.split(/^#+ /m).find((section) => section.startsWith(`${heading}\n`));
  const [block] = codeBlocks(below ?? "");
  if (!block) throw new Error(`There is no code under "${heading}".`);
  return block.code;
}
