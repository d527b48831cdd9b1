"use client";

import { useMemo, useState } from "react";
import { Code } from "#app/_code/code.tsx";
import { languageOfFile } from "#app/_code/languages.ts";
import { Markdown } from "#app/_markdown/markdown.tsx";
import { delimiterOf, parseDelimited } from "#app/_tables/parse-delimited.ts";
import { SortableTable } from "#app/_tables/sortable-table.tsx";
import { JsonTree } from "./json-tree.tsx";
import { NotebookView } from "./notebook-view.tsx";
import { readNotebook } from "./read-notebook.ts";
import { Tabs } from "./tabs.tsx";
import type { Content, Shown } from "./view.tsx";

/** Text as what it means, where we know that, and always as it is written. */
export function TextView({ artifact, content }: { artifact: Shown; content: Content }) {
  const meaning = useMemo(() => interpret(artifact, content), [artifact, content]);
  const [tab, setTab] = useState<string>(meaning?.label ?? "Source");
  return (
    <div className="grid min-w-0 grid-cols-1 gap-2">
      {meaning && <Tabs names={[meaning.label, "Source"]} current={tab} onChange={setTab} />}
      {meaning && tab === meaning.label ? (
        meaning.shown
      ) : (
        <div className="overflow-hidden rounded-lg border bg-surface">
          <Code code={content.text} language={languageOfFile(artifact.name)} className="max-h-[75dvh]" />
        </div>
      )}
      {content.truncated && (
        <p className="text-muted text-xs">
          Only the beginning is shown; the file is longer. Download it to see all of it.
        </p>
      )}
    </div>
  );
}

function interpret({ name, mime, kind }: Shown, { text, truncated }: Content) {
  if (kind === "table") {
    const rows = parseDelimited(text, delimiterOf(text, mime));
    // The last row of what was cut is cut, too.
    return { label: "Table", shown: <SortableTable rows={truncated ? rows.slice(0, -1) : rows} /> };
  }
  if (mime === "text/markdown") {
    return {
      label: "Document",
      shown: <Markdown text={text} className="rounded-lg border bg-surface p-5" />,
    };
  }
  if (kind === "notebook") {
    const notebook = readNotebook(text);
    return notebook && { label: "Notebook", shown: <NotebookView notebook={notebook} /> };
  }
  if (/\.(geo)?json$/i.test(name)) {
    const value = parsed(text);
    return value && { label: "Tree", shown: <JsonTree value={value.found} /> };
  }
  return undefined;
}

function parsed(text: string): { found: unknown } | undefined {
  try {
    return { found: JSON.parse(text) };
  } catch {
    // As written, then: it isn't what its name says, or was cut.
    return undefined;
  }
}
