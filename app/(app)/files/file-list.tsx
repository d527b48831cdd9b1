"use client";

import { useVirtualizer } from "@tanstack/react-virtual";
import clsx from "clsx";
import { ArrowDown, ArrowUp } from "lucide-react";
import { useEffect, useRef } from "react";
import type { FileEntry } from "#lib/files/list-folder.ts";
import { FileRow, type RowActions } from "./file-row.tsx";
import type { Order, SortKey } from "./sort-entries.ts";

const ROW = 38;
export const COLUMNS =
  "grid grid-cols-[2.25rem_minmax(0,1fr)_2.5rem] items-center md:grid-cols-[2.25rem_minmax(0,1fr)_6rem_9rem_2.5rem]";

interface Props {
  folder: string;
  entries: FileEntry[];
  /** Missing while only a part is loaded, which can't be sorted. */
  order?: Order;
  onOrder: (order: Order) => void;
  selected: ReadonlySet<string>;
  onSelect: (names: Set<string>) => void;
  /** Called when the end of what is loaded comes into sight. */
  onEnd?: () => void;
  actions: RowActions;
}

/** Only the rows in sight are on the page, so a folder of any length scrolls alike. */
export function FileList({ folder, entries, order, onOrder, selected, onSelect, onEnd, actions }: Props) {
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: entries.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: 12,
  });
  const items = rows.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (last >= entries.length - 100) onEnd?.();
  }, [last, entries.length, onEnd]);

  const toggle = (name: string) => {
    const next = new Set(selected);
    if (!next.delete(name)) next.add(name);
    onSelect(next);
  };
  const all = entries.length > 0 && selected.size === entries.length;
  return (
    <div ref={scroller} className="min-h-0 flex-1 overflow-y-auto">
      <table aria-label="Files" aria-rowcount={onEnd ? -1 : entries.length + 1} className="block">
        <thead className="sticky top-0 z-10 block">
          <tr className={clsx(COLUMNS, "h-9 border-b bg-canvas text-muted text-xs")}>
            <th scope="col" className="grid place-items-center">
              <span className="sr-only">Selected</span>
              <input
                type="checkbox"
                aria-label="Select all"
                checked={all}
                ref={(box) => {
                  if (box) box.indeterminate = selected.size > 0 && !all;
                }}
                onChange={() => onSelect(new Set(all ? [] : entries.map(({ name }) => name)))}
                className="size-4 accent-accent"
              />
            </th>
            <Header by="name" label="Name" order={order} onOrder={onOrder} />
            <Header
              by="size"
              label="Size"
              order={order}
              onOrder={onOrder}
              className="justify-end max-md:hidden"
            />
            <Header
              by="modified"
              label="Modified"
              order={order}
              onOrder={onOrder}
              className="pl-4 max-md:hidden"
            />
            <th scope="col">
              <span className="sr-only">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody className="relative block" style={{ height: rows.getTotalSize() }}>
          {items.map(({ key, index, start }) => {
            const entry = entries[index];
            return (
              entry && (
                <FileRow
                  key={key}
                  folder={folder}
                  entry={entry}
                  actions={actions}
                  position={index + 2}
                  selected={selected.has(entry.name)}
                  onToggle={() => toggle(entry.name)}
                  style={{ height: ROW, transform: `translateY(${start}px)` }}
                />
              )
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

function Header({
  by,
  label,
  order,
  onOrder,
  className,
}: Pick<Props, "order" | "onOrder"> & { by: SortKey; label: string; className?: string }) {
  const active = order?.by === by;
  const Arrow = order?.descending ? ArrowDown : ArrowUp;
  const sort = active ? (order.descending ? "descending" : "ascending") : undefined;
  return (
    <th scope="col" aria-sort={sort} className={clsx("flex font-normal", className)}>
      {order ? (
        <button
          type="button"
          onClick={() => onOrder({ by, descending: active ? !order.descending : by !== "name" })}
          className="flex items-center gap-1 rounded py-1 hover:text-ink"
        >
          {label}
          {active && <Arrow className="size-3" aria-hidden />}
        </button>
      ) : (
        label
      )}
    </th>
  );
}
