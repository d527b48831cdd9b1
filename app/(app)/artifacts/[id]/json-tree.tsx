"use client";

import clsx from "clsx";
import { ChevronRight } from "lucide-react";
import { useState } from "react";

const AT_ONCE = 200;

/** JSON to be folded. What is closed isn't drawn, so its size doesn't matter. */
export function JsonTree({ value }: { value: unknown }) {
  return (
    <div className="overflow-auto rounded-lg border bg-surface p-3 font-mono text-[13px] leading-relaxed">
      <Node value={value} open />
    </div>
  );
}

function Node({ name, value, open = false }: { name?: string; value: unknown; open?: boolean }) {
  if (typeof value === "object" && value !== null) return <Branch name={name} value={value} open={open} />;
  return (
    <div className="flex pl-5">
      <Name name={name} />
      <span
        className={clsx(
          "whitespace-pre-wrap break-all",
          typeof value === "string" ? "text-accent" : "text-ink",
        )}
      >
        {typeof value === "string" ? JSON.stringify(value.slice(0, 5000)) : String(value)}
      </span>
    </div>
  );
}

function Branch({ name, value, open: first }: { name?: string; value: object; open: boolean }) {
  const [open, setOpen] = useState(first);
  const [shown, setShown] = useState(AT_ONCE);
  const keys = Object.keys(value);
  const [left, right] = Array.isArray(value) ? "[]" : "{}";
  return (
    <div>
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="flex items-center rounded hover:bg-hover"
      >
        <ChevronRight className={clsx("mr-1 size-4 text-muted", open && "rotate-90")} aria-hidden />
        <Name name={name} />
        <span className="text-muted">
          {left}
          {!open && `${keys.length}${right}`}
        </span>
      </button>
      {open && (
        <>
          <div className="ml-2 border-l pl-2">
            {keys.slice(0, shown).map((key) => (
              <Node key={key} name={key} value={(value as Record<string, unknown>)[key]} />
            ))}
            {keys.length > shown && (
              <button
                type="button"
                onClick={() => setShown(shown + AT_ONCE)}
                className="ml-5 text-accent text-xs hover:underline"
              >
                {(keys.length - shown).toLocaleString("en")} more
              </button>
            )}
          </div>
          <span className="pl-5 text-muted">{right}</span>
        </>
      )}
    </div>
  );
}

function Name({ name }: { name?: string }) {
  return name === undefined ? null : <span className="mr-1.5 shrink-0 text-muted">{name}:</span>;
}
