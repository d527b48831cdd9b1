export interface Order {
  column: number;
  descending: boolean;
}

const collator = new Intl.Collator("en", { numeric: true });
const SAMPLE = 200;

/** Numbers as numbers, text as people read it; empty cells come last in either direction. */
export function sortRows(rows: readonly string[][], { column, descending }: Order): string[][] {
  const numbers = isNumeric(rows, column);
  const sign = descending ? -1 : 1;
  return [...rows].sort((a, b) => {
    const [one = "", other = ""] = [a[column], b[column]];
    if (!one || !other) return Number(!one) - Number(!other);
    return sign * (numbers ? toNumber(one) - toNumber(other) : collator.compare(one, other));
  });
}

/** Whether what is in a column are numbers, as far as its beginning tells. */
export function isNumeric(rows: readonly string[][], column: number): boolean {
  const cells = rows
    .slice(0, SAMPLE)
    .map((row) => row[column] ?? "")
    .filter((cell) => cell !== "");
  return (
    cells.length > 0 && cells.every((cell) => !Number.isNaN(toNumber(cell)) || /^-?(nan|inf)$/i.test(cell))
  );
}

/** In pixels, by what the first rows hold. */
export function columnWidths(rows: readonly string[][], most: number): number[] {
  const sample = rows.slice(0, SAMPLE);
  return (rows[0] ?? []).slice(0, most).map((_, column) => {
    const longest = Math.max(...sample.map((row) => row[column]?.length ?? 0));
    return Math.min(320, Math.max(72, longest * 7.5 + 36));
  });
}

function toNumber(cell: string): number {
  return /^\s*$/.test(cell) ? Number.NaN : Number(cell.replace(/%\s*$/, ""));
}
