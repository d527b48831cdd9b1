"use client";

import { LoaderCircle } from "lucide-react";
import { type ReactNode, useMemo, useState } from "react";
import { Code } from "#app/_code/code.tsx";
import { languageOfFile } from "#app/_code/languages.ts";
import { Notice } from "#app/_components/notice.tsx";
import { Figure } from "#app/_figures/figure.tsx";
import { figureLibrary } from "#app/_figures/figure-kind.ts";
import { Markdown } from "#app/_markdown/markdown.tsx";
import { useArtifactText } from "#app/_results/use-artifact-text.ts";
import { delimiterOf, parseDelimited } from "#app/_tables/parse-delimited.ts";
import { SortableTable } from "#app/_tables/sortable-table.tsx";
import { isJson } from "./is-structured.ts";
import { JsonTree } from "./json-tree.tsx";
import { NotebookView } from "./notebook-view.tsx";
import { readNotebook } from "./read-notebook.ts";
import { Tabs } from "./tabs.tsx";
import type { Content, Shown } from "./view.tsx";

// What a browser parses and holds without strain.
const MOST_BYTES = 16 * 2 ** 20;
// More than this as it is written only makes a browser slow.
const MOST_SOURCE = 2 ** 20;
// A browser can't draw an element of any height.
const MOST_ROWS = 500_000;

/** Tables, notebooks and JSON mean nothing by their beginning alone: a large one is fetched after the page. */
export function WholeText({ artifact }: { artifact: Shown }) {
  const contents = useArtifactText(artifact.href, MOST_BYTES);
  if (!contents) {
    return (
      <output className="flex items-center justify-center gap-2 py-16 text-muted text-sm">
        <LoaderCircle className="size-4 animate-spin" aria-hidden /> Loading…
      </output>
    );
  }
  if ("problem" in contents) return <Notice kind="problem">{contents.problem}</Notice>;
  return <TextView artifact={artifact} content={contents} />;
}

/** Text as what it means, where we know that, and always as it is written. */
export function TextView({ artifact, content }: { artifact: Shown; content: Content }) {
  const meaning = useMemo(() => interpret(artifact, content), [artifact, content]);
  const [tab, setTab] = useState<string>(meaning?.label ?? "Source");
  const interpreted = meaning && tab === meaning.label;
  const cut = interpreted ? meaning.cut : content.truncated || content.text.length > MOST_SOURCE;
  return (
    <div className="grid min-w-0 grid-cols-1 gap-2">
      {meaning && <Tabs names={[meaning.label, "Source"]} current={tab} onChange={setTab} />}
      {interpreted ? (
        meaning.shown
      ) : (
        <div className="overflow-hidden rounded-lg border bg-surface">
          <Code
            code={content.text.slice(0, MOST_SOURCE)}
            language={languageOfFile(artifact.name)}
            className="max-h-[75dvh]"
          />
        </div>
      )}
      {cut && (
        <p className="text-muted text-xs">
          Only the beginning is shown; the file is longer. Download it to see all of it.
        </p>
      )}
    </div>
  );
}

interface Meaning {
  label: string;
  shown: ReactNode;
  /** There is more than it shows. */
  cut: boolean;
}

function interpret({ name, mime, kind }: Shown, { text, truncated }: Content): Meaning | undefined {
  if (kind === "table") {
    const rows = parseDelimited(text, delimiterOf(text, mime), MOST_ROWS + 1);
    const cut = truncated || rows.length > MOST_ROWS;
    // The last row of what was cut is cut, too.
    return { label: "Table", shown: <SortableTable rows={cut ? rows.slice(0, -1) : rows} />, cut };
  }
  if (mime === "text/markdown") {
    const shown = <Markdown text={text} className="rounded-lg border bg-surface p-5" />;
    return { label: "Document", shown, cut: truncated };
  }
  if (kind === "notebook") {
    const notebook = readNotebook(text);
    return notebook && { label: "Notebook", shown: <NotebookView notebook={notebook} />, cut: false };
  }
  const library = figureLibrary(mime);
  if (library && !truncated) {
    return { label: "Figure", shown: <Figure library={library} text={text} />, cut: false };
  }
  if (isJson(name)) {
    const json = parseJson(text);
    return json && { label: "Tree", shown: <JsonTree value={json.value} />, cut: false };
  }
  return undefined;
}

function parseJson(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    // As written, then: it isn't what its name says, or was cut.
    return undefined;
  }
}
