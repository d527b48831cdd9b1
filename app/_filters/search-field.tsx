"use client";

import clsx from "clsx";
import { Search, X } from "lucide-react";
import { useEffect, useState } from "react";
import { useFilter } from "./use-filter.ts";

const PAUSE_MS = 250;

/** Searches once the typing pauses, so that a word is one search and not one per letter. */
export function SearchField({
  name = "q",
  label,
  className,
}: {
  name?: string;
  label: string;
  className?: string;
}) {
  const { value, change, pending } = useFilter(name);
  const [typed, setTyped] = useState(value);
  const [sent, setSent] = useState(value);
  const [seen, setSeen] = useState(value);

  // The address changed by itself, as the back button does it, and not because of what was typed here.
  if (seen !== value) {
    setSeen(value);
    if (value !== sent) {
      setSent(value);
      setTyped(value);
    }
  }

  useEffect(() => {
    const wanted = typed.trim();
    if (wanted === sent) return;
    const timer = setTimeout(() => {
      setSent(wanted);
      change(wanted);
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed, sent, change]);

  return (
    <search className={clsx("relative block min-w-40", className)}>
      <Search className="absolute top-2 left-2.5 size-4 text-muted" aria-hidden />
      <input
        type="search"
        aria-label={label}
        aria-busy={pending}
        placeholder={label}
        value={typed}
        maxLength={200}
        onChange={(event) => setTyped(event.target.value)}
        className="h-8 w-full appearance-none rounded-md border border-line-strong bg-surface pr-8 pl-8 text-[13px] [&::-webkit-search-cancel-button]:hidden"
      />
      {typed && (
        <button
          type="button"
          aria-label="Clear the search"
          onClick={() => setTyped("")}
          className="absolute top-1 right-1 rounded p-1 text-muted hover:bg-hover hover:text-ink"
        >
          <X className="size-4" aria-hidden />
        </button>
      )}
    </search>
  );
}
