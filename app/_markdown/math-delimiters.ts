// Models write maths as $x$, \(x\) or \[x\]; the renderer understands $$x$$ alone, so that "$5 and $10" stays money.
const CODE = /(^|\n)(`{3,}|~{3,})[^\n]*\n[\s\S]*?(?:\n\2[^\n]*(?=\n|$)|$)|`+[^`\n]+`+/g;

/** The same text with one way to write maths; code in it is left alone. */
export function mathDelimiters(text: string): string {
  if (!text.includes("$") && !text.includes("\\(") && !text.includes("\\[")) return text;
  let result = "";
  let from = 0;
  for (const { 0: code, index } of text.matchAll(CODE)) {
    result += inProse(text.slice(from, index)) + code;
    from = index + code.length;
  }
  return result + inProse(text.slice(from));
}

function inProse(text: string): string {
  return (
    text
      .replace(/\\\[([\s\S]{1,4000}?)\\\]/g, (_, maths: string) => `\n$$\n${maths.trim()}\n$$\n`)
      .replace(/\\\(([^\n]{1,1000}?)\\\)/g, (_, maths: string) => `$$${maths.trim()}$$`)
      // As pandoc has it: no space inside the dollars, no digit after them.
      .replace(
        /(?<![\\$\w])\$(?=[^\s$])([^$\n]{0,1000}?[^\s$\\]|[^\s$\\])\$(?![\d$])/g,
        (_, maths: string) => `$$${maths}$$`,
      )
  );
}
