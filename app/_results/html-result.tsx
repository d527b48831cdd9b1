"use client";

import { useEffect, useState } from "react";
import { DataTable } from "./data-table.tsx";
import { readTable, type Table } from "./read-table.ts";

// The frame inherits our page's policy, too; this one says what a result may do even if that one grows.
const POLICY = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">`;

/**
 * HTML that code produced. A table, which it nearly always is, becomes a real one of ours; anything else stands in a frame
 * without scripts and without an origin. Parsing needs the browser, so the server draws nothing yet.
 */
export function HtmlResult({ html }: { html: string }) {
  const [found, setFound] = useState<{ table: Table | undefined }>();
  useEffect(() => setFound({ table: readTable(html) }), [html]);
  if (!found) return <div className="h-24 animate-pulse rounded-md bg-sunken" />;
  if (found.table) return <DataTable table={found.table} />;
  return (
    <iframe
      title="HTML result"
      sandbox=""
      srcDoc={POLICY + html}
      className="h-80 w-full resize-y overflow-auto rounded-md border bg-white"
    />
  );
}
