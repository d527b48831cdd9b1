"use client";

import clsx from "clsx";
import { type ReactNode, useState } from "react";
import { IconCopy } from "#app/_components/copy-button.tsx";
import { Code } from "./code.tsx";

const LINES_SHOWN = 30;

/** A block of code with its name, a button that copies it, and a fold when it is long. */
export function CodeBlock({
  code,
  language,
  title,
  actions,
  className,
}: {
  code: string;
  language?: string;
  /** Stands where the language would. */
  title?: ReactNode;
  actions?: ReactNode;
  className?: string;
}) {
  const [open, setOpen] = useState(false);
  const lines = countLines(code);
  const folds = lines > LINES_SHOWN + 5;
  return (
    <figure className={clsx("min-w-0 overflow-hidden rounded-lg border bg-surface", className)}>
      <figcaption className="flex h-8 items-center gap-2 border-b bg-sunken pr-1 pl-3 text-muted text-xs">
        <span className="min-w-0 flex-1 truncate">{title ?? language ?? "text"}</span>
        {actions}
        <IconCopy text={code} label="Copy code" />
      </figcaption>
      <div className={clsx("relative", folds && !open && "max-h-96 overflow-hidden")}>
        <Code code={code} language={language} className={clsx(!open && "max-h-[36rem]")} />
        {folds && !open && (
          <div className="pointer-events-none absolute inset-x-0 bottom-0 h-16 bg-linear-to-t from-surface" />
        )}
      </div>
      {folds && (
        <button
          type="button"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          className="block h-8 w-full border-t bg-sunken text-muted text-xs hover:bg-hover hover:text-ink"
        >
          {open ? "Show less" : `Show all ${lines.toLocaleString("en")} lines`}
        </button>
      )}
    </figure>
  );
}

function countLines(text: string): number {
  let lines = 1;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lines += 1;
  return lines;
}
