"use client";

import { useEffect, useState } from "react";
import { disarm } from "#app/_preview/disarm.ts";
import { hasScripts } from "#app/_preview/has-scripts.ts";
import { PageFrame } from "#app/_preview/page-frame.tsx";
import { DataTable } from "./data-table.tsx";
import { readTable, type Table } from "./read-table.ts";

// The frame inherits our page's policy, too; this one says what a result may do even if that one grows.
const POLICY = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:"><meta http-equiv="x-dns-prefetch-control" content="off">`;
const LOOK = "h-80 w-full resize-y overflow-auto rounded-md border";

/**
 * HTML that code produced. A table, which it nearly always is, becomes a real one of ours; anything else is a page in a frame
 * without an origin. Parsing needs the browser, so the server draws nothing yet.
 */
export function HtmlResult({ html, artifactId }: { html: string; artifactId?: string | undefined }) {
  const [found, setFound] = useState<{ table: Table | undefined }>();
  useEffect(() => setFound({ table: readTable(html) }), [html]);
  if (!found) return <div className="h-24 animate-pulse rounded-md bg-sunken" />;
  if (found.table) return <DataTable table={found.table} />;
  if (artifactId) {
    const href = `/artifacts/${encodeURIComponent(artifactId)}/result`;
    return <PageFrame href={href} title="HTML result" scripts={hasScripts(html)} className={LOOK} />;
  }
  return (
    <div className="grid min-w-0 grid-cols-1 gap-1.5">
      <iframe title="HTML result" sandbox="" srcDoc={POLICY + disarm(html)} className={`${LOOK} bg-white`} />
      {hasScripts(html) && (
        <p className="text-muted text-xs">Its scripts don't run here: only those of an artifact do.</p>
      )}
    </div>
  );
}
