"use client";

import clsx from "clsx";

/** One thing seen in several ways. */
export function Tabs({
  names,
  current,
  onChange,
}: {
  names: string[];
  current: string;
  onChange: (name: string) => void;
}) {
  return (
    <div className="flex w-max gap-0.5 rounded-lg border bg-sunken p-0.5">
      {names.map((name) => (
        <button
          key={name}
          type="button"
          aria-pressed={name === current}
          onClick={() => onChange(name)}
          className={clsx(
            "h-7 rounded-md px-2.5 text-[13px]",
            name === current ? "bg-surface font-medium shadow-xs" : "text-muted hover:text-ink",
          )}
        >
          {name}
        </button>
      ))}
    </div>
  );
}
