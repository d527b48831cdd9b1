"use client";

import { useEffect, useMemo, useState } from "react";
import { fileIcon } from "#app/_components/file-icon.tsx";
import { readTable } from "#app/_results/read-table.ts";
import { delimiterOf, parseDelimited } from "#app/_tables/parse-delimited.ts";
import type { Item } from "./use-pages.ts";

// A picture this large is worth opening, not worth fetching for a card.
const MOST_IMAGE_BYTES = 2 * 2 ** 20;
const ROWS = 7;

/** A little of the real thing: the picture, the table's corner, the first lines. */
export function Thumbnail({ item }: { item: Item }) {
  const [broken, setBroken] = useState(false);
  if (item.kind === "image" && item.size > 0 && item.size <= MOST_IMAGE_BYTES && !broken) {
    return (
      // biome-ignore lint/performance/noImgElement: it is served as it is; an image can run nothing.
      <img
        src={item.href}
        alt=""
        loading="lazy"
        decoding="async"
        onError={() => setBroken(true)}
        className="size-full bg-white object-contain"
      />
    );
  }
  if (item.preview && item.kind === "table") return <DelimitedCorner text={item.preview} mime={item.mime} />;
  if (item.preview && item.kind === "html") return <HtmlCorner html={item.preview} />;
  if (item.preview && item.kind !== "image") return <FirstLines text={item.preview} />;
  return <Emblem name={item.name} />;
}

function DelimitedCorner({ text, mime }: { text: string; mime: string }) {
  const rows = useMemo(() => parseDelimited(text, delimiterOf(text, mime), ROWS), [text, mime]);
  return <TableCorner rows={rows} />;
}

/** What a cell shows is nearly always one table. Parsing needs the browser, so the server draws nothing yet. */
function HtmlCorner({ html }: { html: string }) {
  const [table, setTable] = useState<{ rows: string[][] }>();
  useEffect(() => {
    const { head = [], body = [] } = readTable(html) ?? {};
    setTable({ rows: [...head, ...body].slice(0, ROWS).map((cells) => cells.map(({ text }) => text)) });
  }, [html]);
  if (!table) return null;
  return table.rows.length > 0 ? <TableCorner rows={table.rows} /> : <FirstLines text={html} />;
}

function TableCorner({ rows }: { rows: string[][] }) {
  return (
    <div className="size-full bg-surface">
      <table aria-hidden className="w-full table-fixed text-[9px] leading-none">
        <tbody>
          {rows.map((cells, row) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a cell is its place.
            <tr key={row} className={row === 0 ? "bg-hover font-semibold" : "bg-surface"}>
              {cells.slice(0, 4).map((cell, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a cell is its place.
                <td key={column} className="h-5 truncate border-r border-b px-1.5">
                  {cell.slice(0, 40)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function FirstLines({ text }: { text: string }) {
  return (
    <pre
      aria-hidden
      className="size-full overflow-hidden whitespace-pre-wrap break-all bg-surface p-2 font-mono text-[8.5px] text-muted leading-[1.5]"
    >
      {text.slice(0, 1200)}
    </pre>
  );
}

function Emblem({ name }: { name: string }) {
  const Icon = fileIcon(name);
  const ending = /\.([A-Za-z0-9]{1,8})$/.exec(name)?.[1];
  return (
    <div className="grid size-full place-content-center justify-items-center gap-1.5 text-muted">
      <Icon className="size-8" strokeWidth={1.25} aria-hidden />
      {ending && <span className="font-medium text-[11px] uppercase tracking-wide">{ending}</span>}
    </div>
  );
}
