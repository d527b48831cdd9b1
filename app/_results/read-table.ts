// A table out of untrusted HTML, as plain strings. DOMParser makes a document in which nothing runs or loads.

export interface Table {
  head: Cell[][];
  body: Cell[][];
  /** What stood around it, such as "5 rows × 3 columns". */
  note: string;
  /** Rows that are left out. */
  more: number;
}

export interface Cell {
  text: string;
  header: boolean;
  span: number;
  rows: number;
}

const MOST_ROWS = 500;
const MOST_COLUMNS = 100;

/** Undefined when the HTML is more than one table and a few words around it. */
export function readTable(html: string, mostRows = MOST_ROWS): Table | undefined {
  const { body } = new DOMParser().parseFromString(html, "text/html");
  const [table, ...others] = body.querySelectorAll("table");
  if (!table || others.length > 0 || body.querySelector("img, svg, canvas, form, iframe, object, video")) {
    return undefined;
  }
  const rows = [...table.rows];
  const head = rows.filter((row) => row.parentElement?.tagName === "THEAD");
  const rest = rows.filter((row) => row.parentElement?.tagName !== "THEAD");
  table.remove();
  for (const unseen of body.querySelectorAll("style, script")) unseen.remove();
  const note = (body.textContent ?? "").replace(/\s+/g, " ").trim();
  if (note.length > 200) return undefined;
  return {
    head: head.slice(0, 20).map(cellsOf),
    body: rest.slice(0, mostRows).map(cellsOf),
    note,
    more: Math.max(0, rest.length - mostRows),
  };
}

function cellsOf(row: HTMLTableRowElement): Cell[] {
  return [...row.cells].slice(0, MOST_COLUMNS).map((cell) => ({
    text: (cell.textContent ?? "").trim().slice(0, 2000),
    header: cell.tagName === "TH",
    span: Math.min(cell.colSpan, MOST_COLUMNS),
    rows: Math.min(cell.rowSpan, MOST_ROWS),
  }));
}
