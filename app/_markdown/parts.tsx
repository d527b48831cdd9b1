"use client";

import { ImageOff } from "lucide-react";
import type { ComponentProps } from "react";
import type { Components, ExtraProps } from "streamdown";
import { CodeBlock } from "#app/_code/code-block.tsx";
import { safeImage, safeLink } from "./safe-link.ts";

// Headings step down: the page's title and the message come before them.
export const PARTS: Components = {
  h1: "h3",
  h2: "h4",
  h3: "h5",
  h4: "h6",
  h5: "h6",
  h6: "h6",
  p: "p",
  ul: "ul",
  ol: "ol",
  li: "li",
  blockquote: "blockquote",
  hr: "hr",
  strong: "strong",
  sub: "sub",
  sup: "sup",
  section: "section",
  thead: "thead",
  tbody: "tbody",
  tr: "tr",
  th: "th",
  td: "td",
  inlineCode: InlineCode,
  code: InlineCode,
  pre: Block,
  table: Table,
  a: Anchor,
  img: Picture,
};

function Block({ node }: ComponentProps<"pre"> & ExtraProps) {
  const code = node?.children[0];
  const classes = code?.type === "element" ? code.properties.className : undefined;
  const language = String(classes ?? "").match(/language-([\w+#-]+)/)?.[1];
  return <CodeBlock code={textOf(code).replace(/\n$/, "")} language={language} className="my-3" />;
}

function InlineCode({ children }: ComponentProps<"code"> & ExtraProps) {
  return <code>{children}</code>;
}

function Table({ children }: ComponentProps<"table"> & ExtraProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <div className="my-3 overflow-x-auto rounded-lg border" tabIndex={0}>
      <table>{children}</table>
    </div>
  );
}

function Anchor({ href, children }: ComponentProps<"a"> & ExtraProps) {
  const target = safeLink(href);
  if (!target) return <span>{children}</span>;
  return (
    <a
      href={target}
      target={target.startsWith("#") ? undefined : "_blank"}
      rel="noopener noreferrer nofollow"
    >
      {children}
    </a>
  );
}

/** A remote picture would tell its host who reads what; its description stands in. */
function Picture({ src, alt }: ComponentProps<"img"> & ExtraProps) {
  const picture = safeImage(src);
  // biome-ignore lint/performance/noImgElement: artifacts are served as they are.
  if (picture) return <img src={picture} alt={alt ?? ""} loading="lazy" />;
  return (
    <span className="inline-flex items-center gap-1.5 rounded border border-dashed px-1.5 text-muted text-sm">
      <ImageOff className="size-3.5" aria-hidden />
      {alt || "Image"} (not loaded)
    </span>
  );
}

interface Hast {
  type: string;
  value?: string;
  children?: Hast[];
}

function textOf(node: Hast | undefined): string {
  if (!node) return "";
  return node.type === "text" ? (node.value ?? "") : (node.children ?? []).map(textOf).join("");
}
