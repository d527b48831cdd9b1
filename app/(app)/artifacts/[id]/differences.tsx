"use client";

import clsx from "clsx";
import { structuredPatch } from "diff";
import Link from "next/link";
import { useMemo } from "react";
import { buttonClass } from "#app/_components/button.tsx";

interface Side {
  label: string;
  text: string;
  truncated: boolean;
}

// Two texts that have nothing in common can keep a browser busy for minutes.
const LIMITS = { context: 4, timeout: 3000, maxEditLength: 20_000 };
const MOST_LINES = 4000;

/** What became of one version on the way to another, line by line. */
export function Differences({ before, after, href }: { before: Side; after: Side; href: string }) {
  const patch = useMemo(
    () => structuredPatch("", "", before.text, after.text, "", "", LIMITS),
    [before.text, after.text],
  );
  const lines = patch?.hunks.flatMap((hunk) => [
    `@@ line ${hunk.newStart}`,
    ...hunk.lines.filter((line) => !line.startsWith("\\")),
  ]);
  return (
    <section aria-label="Differences" className="grid min-w-0 grid-cols-1 gap-2">
      <div className="flex items-center justify-between gap-2">
        <p className="text-muted text-sm">
          {before.label} → {after.label}
        </p>
        <Link href={href} className={buttonClass({ size: "small" })}>
          Show the contents
        </Link>
      </div>
      {!lines && <p className="text-muted text-sm">The two are too different to be compared line by line.</p>}
      {lines?.length === 0 && <p className="text-muted text-sm">No line differs.</p>}
      {lines && lines.length > 0 && (
        <pre
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
          tabIndex={0}
          className="max-h-[75dvh] overflow-auto rounded-lg border bg-surface py-2 font-mono text-[13px] leading-relaxed"
        >
          {lines.slice(0, MOST_LINES).map((line, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place.
            <Line key={index} line={line} />
          ))}
        </pre>
      )}
      {(before.truncated || after.truncated || (lines?.length ?? 0) > MOST_LINES) && (
        <p className="text-muted text-xs">Only the beginning of the two is compared.</p>
      )}
    </section>
  );
}

function Line({ line }: { line: string }) {
  const [mark] = line;
  if (mark === "@") return <span className="block bg-sunken px-3 text-muted text-xs">{line}</span>;
  const Tag = mark === "+" ? "ins" : mark === "-" ? "del" : "span";
  return (
    <Tag
      className={clsx(
        "block w-max min-w-full whitespace-pre px-3 no-underline",
        mark === "+" && "bg-accent-soft text-accent",
        mark === "-" && "bg-danger-soft text-danger",
      )}
    >
      {line || " "}
    </Tag>
  );
}
