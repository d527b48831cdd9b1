/** CSV or TSV as rows of cells, at most so many. Quotes hold delimiters, line breaks and doubled quotes; nothing throws. */
export function parseDelimited(
  text: string,
  delimiter: "," | ";" | "\t",
  most = Number.POSITIVE_INFINITY,
): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = text.startsWith("\ufeff") ? 1 : 0;
  while (at < text.length && rows.length < most) {
    const cell = text[at] === '"' ? quoted(text, at) : { value: "", end: at };
    // Whatever stands between a closing quote and the delimiter is kept rather than lost.
    const rest = plain(text, cell.end, delimiter);
    row.push(cell.value + rest.value);
    at = rest.end;
    if (text[at] === delimiter) {
      at += 1;
      if (at < text.length) continue;
      row.push("");
    }
    if (text[at] === "\r") at += 1;
    if (text[at] === "\n") at += 1;
    rows.push(row);
    row = [];
  }
  return rows;
}

/** What separates the cells: a file of the same ending may use either. */
export function delimiterOf(text: string, mime: string): "," | ";" | "\t" {
  if (mime === "text/tab-separated-values") return "\t";
  const [line = ""] = text.split("\n", 1);
  return line.split(";").length > line.split(",").length ? ";" : ",";
}

function plain(text: string, from: number, delimiter: string): { value: string; end: number } {
  let end = from;
  while (end < text.length && text[end] !== delimiter && text[end] !== "\n" && text[end] !== "\r") end += 1;
  return { value: text.slice(from, end), end };
}

function quoted(text: string, from: number): { value: string; end: number } {
  let value = "";
  let at = from + 1;
  for (;;) {
    const close = text.indexOf('"', at);
    if (close === -1) return { value: value + text.slice(at), end: text.length };
    value += text.slice(at, close);
    if (text[close + 1] !== '"') return { value, end: close + 1 };
    value += '"';
    at = close + 2;
  }
}
