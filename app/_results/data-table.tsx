import clsx from "clsx";
import type { Cell, Table } from "./read-table.ts";

export function DataTable({ table: { head, body, note, more } }: { table: Table }) {
  return (
    <figure className="min-w-0 overflow-hidden rounded-md border bg-surface">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <div className="max-h-96 overflow-auto" tabIndex={0}>
        <table className="min-w-full border-separate border-spacing-0 text-[13px] tabular-nums">
          <thead className="sticky top-0">{head.map((cells, row) => toRow(cells, row, body[0]))}</thead>
          <tbody>{body.map((cells, row) => toRow(cells, row))}</tbody>
        </table>
      </div>
      {(note || more > 0) && (
        <figcaption className="border-t px-3 py-1.5 text-muted text-xs">
          {note}
          {more > 0 && ` ${more.toLocaleString("en")} more rows are not shown.`}
        </figcaption>
      )}
    </figure>
  );
}

/** Numbers stand to the right, and so does the title of a column that begins with one; labels of rows don't. */
function toRow(cells: Cell[], row: number, first: Cell[] = cells) {
  return (
    <tr key={row} className="group/row">
      {cells.map((cell, column) => {
        const { text, header, span, rows } = cell;
        const Tag = header ? "th" : "td";
        const example = first[column] ?? cell;
        return (
          <Tag
            // biome-ignore lint/suspicious/noArrayIndexKey: a cell is its place.
            key={column}
            colSpan={span > 1 ? span : undefined}
            rowSpan={rows > 1 ? rows : undefined}
            className={clsx(
              "max-w-80 truncate border-b px-3 py-1.5 group-last/row:border-b-0",
              header ? "bg-sunken font-medium text-muted" : "text-ink",
              !example.header && isNumber(example.text) ? "text-right" : "text-left",
            )}
          >
            {text}
          </Tag>
        );
      })}
    </tr>
  );
}

function isNumber(text: string): boolean {
  return /^[-−+]?[\d.,\s]+(e[-+]?\d+)?%?$|^(NaN|inf|-inf|<NA>)$/i.test(text);
}
