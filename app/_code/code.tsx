"use client";

import "./code.css";
import clsx from "clsx";
import { Fragment } from "react";
import { useHighlighted } from "./use-highlighted.ts";

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
