"use client";

import "katex/dist/katex.min.css";
import "./markdown.css";
import { createMathPlugin } from "@streamdown/math";
import clsx from "clsx";
import { Streamdown } from "streamdown";
import { mathDelimiters } from "./math-delimiters.ts";
import { PARTS } from "./parts.tsx";

const PLUGINS = { math: createMathPlugin({ errorColor: "var(--danger)" }) };

/** Untrusted Markdown, drawn while it still grows. Nothing in it runs, and nothing is fetched from anywhere else. */
export function Markdown({
  text,
  streaming = false,
  className,
}: {
  text: string;
  streaming?: boolean;
  className?: string;
}) {
  return (
    <Streamdown
      className={clsx("markdown", className)}
      mode={streaming ? "streaming" : "static"}
      isAnimating={streaming}
      components={PARTS}
      plugins={PLUGINS}
      controls={false}
    >
      {mathDelimiters(text)}
    </Streamdown>
  );
}
