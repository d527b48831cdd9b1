"use client";

import clsx from "clsx";
import { Ago } from "#app/_components/time-ago.tsx";
import type { Summary } from "./conversations.ts";

export function SearchResults({
  id,
  items,
  problem,
  query,
  active,
  onHover,
  onChoose,
}: {
  id: string;
  /** Undefined until the first answer. */
  items: Summary[] | undefined;
  problem: string | undefined;
  query: string;
  active: number;
  onHover: (index: number) => void;
  onChoose: (summary: Summary) => void;
}) {
  return (
    <div className="min-h-24 overflow-y-auto p-1.5">
      {problem && <p className="px-3 py-6 text-center text-danger text-sm">{problem}</p>}
      {items?.length === 0 && !problem && (
        <p className="px-3 py-6 text-center text-muted text-sm">
          {query ? `Nothing found for “${query}”.` : "No conversations yet."}
        </p>
      )}
      <div id={id} role="listbox" aria-label="Conversations">
        {items?.map((each, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the focus and its keys.
          <div
            key={each.id}
            id={`${id}-${each.id}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            onMouseMove={() => onHover(index)}
            onClick={() => onChoose(each)}
            className={clsx(
              "grid cursor-pointer gap-0.5 rounded-md px-3 py-2",
              index === active && "bg-hover",
            )}
          >
            <span className="flex items-baseline gap-3">
              <span className="min-w-0 flex-1 truncate text-sm">{each.title || "New conversation"}</span>
              <span className="shrink-0 text-muted text-xs">
                <Ago at={new Date(each.updatedAt)} />
              </span>
            </span>
            {each.snippet && (
              <span className="line-clamp-2 break-words text-muted text-xs">{each.snippet}</span>
            )}
          </div>
        ))}
      </div>
    </div>
  );
}
