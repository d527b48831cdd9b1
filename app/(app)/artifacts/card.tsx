"use client";

import clsx from "clsx";
import Link from "next/link";
import { type CSSProperties, memo } from "react";
import { formatBytes } from "#app/_components/format-bytes.ts";
import { When } from "#app/_components/time-ago.tsx";
import { Thumbnail } from "./thumbnail.tsx";
import type { Item } from "./use-pages.ts";

export const Card = memo(function Card({
  item,
  selected,
  selecting,
  onToggle,
  style,
}: {
  item: Item;
  selected: boolean;
  /** Something is selected, so every card shows that it can be, too. */
  selecting: boolean;
  onToggle: () => void;
  style: CSSProperties;
}) {
  return (
    <li
      style={style}
      className={clsx(
        "group/card absolute flex flex-col overflow-hidden rounded-lg border bg-surface transition-shadow hover:shadow-md",
        selected && "border-accent ring-1 ring-accent",
      )}
    >
      <Link
        href={`/artifacts/${item.id}`}
        prefetch={false}
        className="flex min-h-0 flex-1 flex-col focus-visible:outline-offset-[-2px]"
      >
        <div className="min-h-0 flex-1 overflow-hidden border-b bg-sunken">
          <Thumbnail item={item} />
        </div>
        <div className="grid gap-0.5 px-2.5 py-2">
          <bdi className="truncate font-medium text-[13px]" title={item.path}>
            {item.name}
          </bdi>
          <span className="truncate text-muted text-xs">
            {formatBytes(item.size)} · <When at={new Date(item.createdAt).toISOString()} />
            {item.version > 1 && ` · v${item.version}`}
          </span>
        </div>
      </Link>
      <input
        type="checkbox"
        aria-label={`Select ${item.name}`}
        checked={selected}
        onChange={onToggle}
        className={clsx(
          "absolute top-2 right-2 size-4.5 accent-accent transition-opacity focus-visible:opacity-100 group-hover/card:opacity-100 max-md:opacity-100",
          !selecting && "opacity-0",
        )}
      />
    </li>
  );
});
