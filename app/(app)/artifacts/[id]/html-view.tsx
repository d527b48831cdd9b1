"use client";

import { useEffect, useState } from "react";
import { Code } from "#app/_code/code.tsx";
import { hasScripts } from "#app/_preview/disarm.ts";
import { PageFrame } from "#app/_preview/page-frame.tsx";
import { readTable } from "#app/_results/read-table.ts";
import { SortableTable } from "#app/_tables/sortable-table.tsx";
import { Tabs } from "./tabs.tsx";
import type { Content, Shown } from "./view.tsx";

const MOST_ROWS = 100_000;

/** A page that code made, and its source. One that is a table and nothing else can be sorted, too. */
export function HtmlView({ artifact: { name, href }, content }: { artifact: Shown; content: Content }) {
  const rows = useRows(content);
  const [chosen, setChosen] = useState<string>();
  const tab = chosen ?? (rows ? "Table" : "Page");
  return (
    <div className="grid min-w-0 grid-cols-1 gap-2">
      <Tabs names={[...(rows ? ["Table"] : []), "Page", "Source"]} current={tab} onChange={setChosen} />
      {tab === "Table" && rows && <SortableTable rows={rows} />}
      {tab === "Page" && (
        <PageFrame
          href={href}
          title={name}
          // What was cut off may be a script.
          scripts={content.truncated || hasScripts(content.text)}
          className="h-[75dvh] w-full rounded-lg border"
        />
      )}
      {tab === "Source" && (
        <div className="overflow-hidden rounded-lg border bg-surface">
          <Code code={content.text} language="html" className="max-h-[75dvh]" />
        </div>
      )}
    </div>
  );
}

/** The rows of a plain table, titles first. Parsing needs the browser, so they come a moment after the page. */
function useRows({ text, truncated }: Content): string[][] | undefined {
  const [rows, setRows] = useState<string[][]>();
  useEffect(() => {
    const table = truncated ? undefined : readTable(text, MOST_ROWS);
    const cells = table && table.head.length === 1 && table.more === 0 ? [...table.head, ...table.body] : [];
    const plain =
      cells.length > 0 && cells.every((row) => row.every(({ span, rows: down }) => span * down === 1));
    setRows(plain ? cells.map((row) => row.map(({ text: cell }) => cell)) : undefined);
  }, [text, truncated]);
  return rows;
}
