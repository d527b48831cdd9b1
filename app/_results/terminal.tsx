"use client";

import clsx from "clsx";
import { useLayoutEffect, useMemo, useRef, useState } from "react";
import { IconCopy } from "#app/_components/copy-button.tsx";
import { foldText, inertText } from "./terminal-text.ts";

/** What a program printed, as a terminal would show it. Follows the end while it is live, folds when it is long. */
export function Terminal({
  stdout,
  stderr = "",
  live = false,
  truncated = false,
  label = "Output",
  className,
}: {
  stdout: string;
  stderr?: string;
  /** Still being printed. */
  live?: boolean;
  truncated?: boolean;
  label?: string;
  className?: string;
}) {
  const [open, setOpen] = useState(false);
  const out = useMemo(() => inertText(stdout).trimEnd(), [stdout]);
  const err = useMemo(() => inertText(stderr).trimEnd(), [stderr]);
  const shownOut = foldText(out, { open, live });
  const shownErr = foldText(err, { open, live });
  const hidden = shownOut.hidden + shownErr.hidden;
  const box = useFollowedEnd(live, `${out.length} ${err.length}`);
  if (!out && !err && !live) return null;
  return (
    <section aria-label={label} className={clsx("group/terminal relative min-w-0 bg-sunken", className)}>
      <pre
        ref={box}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
        tabIndex={0}
        className="max-h-96 overflow-auto whitespace-pre-wrap break-words px-3 py-2.5 font-mono text-[13px] leading-relaxed"
      >
        {shownOut.text}
        {out && err && "\n"}
        {err && <span className="text-danger">{shownErr.text}</span>}
        {live && (
          <span
            aria-hidden
            className="ml-px inline-block h-[1em] w-2 animate-pulse bg-accent align-text-bottom"
          />
        )}
      </pre>
      {(out || err) && (
        <div className="absolute top-1 right-1 rounded-md bg-sunken opacity-0 transition-opacity focus-within:opacity-100 group-hover/terminal:opacity-100 max-md:opacity-100">
          <IconCopy text={[out, err].filter(Boolean).join("\n")} label="Copy output" />
        </div>
      )}
      {(hidden > 0 || open) && !live && (
        <button
          type="button"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          className="block h-8 w-full border-t text-muted text-xs hover:bg-hover hover:text-ink"
        >
          {open ? "Show less" : `Show ${hidden.toLocaleString("en")} more lines`}
        </button>
      )}
      {truncated && (
        <p className="border-t px-3 py-1.5 text-muted text-xs">
          The output was longer and has been cut in the middle.
        </p>
      )}
    </section>
  );
}

/** Keeps the end in sight while text arrives, unless the person scrolled up to read. */
function useFollowedEnd(live: boolean, change: string) {
  const box = useRef<HTMLPreElement>(null);
  const last = useRef(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the change that moves the end.
  useLayoutEffect(() => {
    const element = box.current;
    if (!element || !live) return;
    if (element.scrollTop >= last.current - 4) {
      element.scrollTop = element.scrollHeight;
      last.current = element.scrollTop;
    }
  }, [live, change]);
  return box;
}
