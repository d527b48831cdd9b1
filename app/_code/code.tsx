"use client";

import "./code.css";
import clsx from "clsx";
import { Fragment, useEffect, useRef, useState } from "react";
import type { Line } from "./highlighter.ts";
import { languageNamed } from "./languages.ts";

// Colouring more than this takes longer than anybody looks at it.
const MOST_CHARACTERS = 60_000;

/** Code in colours and nothing around it. What is shown and what is copied are the same characters. */
export function Code({ code, language, className }: { code: string; language?: string; className?: string }) {
  const { lines, rest } = useHighlighted(code, language);
  return (
    <pre
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
      tabIndex={0}
      className={clsx(
        "overflow-auto whitespace-pre px-3 py-2.5 font-mono text-[13px] leading-relaxed",
        className,
      )}
    >
      <code>
        {lines.map((tokens, number) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a line is its number.
          <Fragment key={number}>
            {number > 0 && "\n"}
            {tokens.map(({ content, color }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a token is its place.
              <span key={index} style={{ color }}>
                {content}
              </span>
            ))}
          </Fragment>
        ))}
        {rest}
      </code>
    </pre>
  );
}

interface Highlighted {
  lines: Line[];
  /** What came after the coloured part while it was being coloured. */
  rest: string;
}

/** The code in colours, once they are there. Text that grows keeps the colours it has until the next pass. */
function useHighlighted(code: string, name: string | undefined): Highlighted {
  const language = languageNamed(name);
  const [done, setDone] = useState<{ code: string; lines: Line[]; language: string }>();
  const latest = useRef(code);
  latest.current = code;

  useEffect(() => {
    if (!language || code.length > MOST_CHARACTERS) return;
    let left = false;
    import("./highlighter.ts")
      .then(({ highlight }) => highlight(code, language))
      .then((lines) => {
        if (!left || latest.current.startsWith(code)) setDone({ code, lines, language });
      })
      // Plain code is a fine answer when a grammar fails or the connection is gone.
      .catch(() => {});
    return () => {
      left = true;
    };
  }, [code, language]);

  if (!done || done.language !== language || !code.startsWith(done.code)) return { lines: [], rest: code };
  return { lines: done.lines, rest: code.slice(done.code.length) };
}
