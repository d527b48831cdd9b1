"use client";

import { useVirtualizer } from "@tanstack/react-virtual";
import clsx from "clsx";
import { ArrowDown, ArrowUp } from "lucide-react";
import { useMemo, useRef, useState } from "react";
import { columnWidths, isNumeric, type Order, sortRows } from "./sort-rows.ts";

const ROW = 30;
const MOST_COLUMNS = 200;

/** A long table: its first row names the columns, and a click on a name sorts by it. */
export function SortableTable({ rows }: { rows: string[][] }) {
  const [head = []] = rows;
  const rest = useMemo(() => rows.slice(1), [rows]);
  const columns = useMemo(() => rows[0]?.slice(0, MOST_COLUMNS) ?? [], [rows]);
  const [order, setOrder] = useState<Order>();
  const scroller = useRef<HTMLDivElement>(null);
  const sorted = useMemo(() => (order ? sortRows(rest, order) : rest), [rest, order]);
  const numeric = useMemo(() => columns.map((_, column) => isNumeric(rest, column)), [columns, rest]);
  const widths = useMemo(() => columnWidths(rows, MOST_COLUMNS), [rows]);
  const lines = useVirtualizer({
    count: sorted.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: 15,
  });
  const grid = { gridTemplateColumns: widths.map((width) => `${width}px`).join(" ") };
  return (
    <figure className="min-w-0 overflow-hidden rounded-lg border bg-surface">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <div ref={scroller} tabIndex={0} className="max-h-[70dvh] overflow-auto">
        <table className="block w-max min-w-full text-[13px] tabular-nums" aria-rowcount={rows.length}>
          <thead className="sticky top-0 z-10 block bg-sunken">
            <tr className="grid border-b" style={grid}>
              {columns.map((name, column) => {
                const active = order?.column === column;
                const Arrow = active && order.descending ? ArrowDown : ArrowUp;
                return (
                  <th
                    // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place.
                    key={column}
                    scope="col"
                    aria-sort={active ? (order.descending ? "descending" : "ascending") : undefined}
                    className="min-w-0"
                  >
                    <button
                      type="button"
                      onClick={() => setOrder({ column, descending: active && !order.descending })}
                      className={clsx(
                        "flex w-full items-center gap-1 px-3 py-1.5 text-left font-medium text-muted hover:text-ink",
                        numeric[column] && "flex-row-reverse",
                      )}
                    >
                      <span className="truncate">{name || `Column ${column + 1}`}</span>
                      <Arrow className={clsx("size-3 shrink-0", !active && "invisible")} aria-hidden />
                    </button>
                  </th>
                );
              })}
            </tr>
          </thead>
          <tbody className="relative block" style={{ height: lines.getTotalSize() }}>
            {lines.getVirtualItems().map(({ key, index, start }) => (
              <tr
                key={key}
                aria-rowindex={index + 2}
                className="absolute inset-x-0 top-0 grid items-center border-b"
                style={{ ...grid, height: ROW, transform: `translateY(${start}px)` }}
              >
                {columns.map((_, column) => (
                  <td
                    // biome-ignore lint/suspicious/noArrayIndexKey: a cell is its place.
                    key={column}
                    title={sorted[index]?.[column]}
                    className={clsx("truncate px-3", numeric[column] && "text-right")}
                  >
                    {sorted[index]?.[column]}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <figcaption className="border-t px-3 py-1.5 text-muted text-xs">
        {rest.length.toLocaleString("en")} {rest.length === 1 ? "row" : "rows"},{" "}
        {head.length.toLocaleString("en")} {head.length === 1 ? "column" : "columns"}
        {head.length > MOST_COLUMNS && `, of which ${MOST_COLUMNS} are shown`}
      </figcaption>
    </figure>
  );
}
