"use client";

import { ExternalLink } from "lucide-react";
import Link from "next/link";
import { useEffect, useState } from "react";
import { disarm, hasScripts } from "#app/_preview/disarm.ts";
import { PageFrame } from "#app/_preview/page-frame.tsx";
import { DataTable } from "./data-table.tsx";
import { readTable, type Table } from "./read-table.ts";
import { MOST_RESULT_BYTES, useArtifactText } from "./use-artifact-text.ts";

// The frame inherits our page's policy, too; this one says what a result may do even if that one grows.
const POLICY = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:"><meta http-equiv="x-dns-prefetch-control" content="off">`;
const LOOK = "h-80 w-full resize-y overflow-auto rounded-md border";

/**
 * HTML that code produced. A table, which it nearly always is, becomes a real one of ours; anything else is a page in a frame
 * without an origin. Parsing needs the browser, so the server draws nothing yet.
 */
export function HtmlResult({ html, artifactId }: { html: string; artifactId?: string | undefined }) {
  const [content, setContent] = useState<{ table: Table | undefined }>();
  useEffect(() => setContent({ table: readTable(html) }), [html]);
  if (!content) return <div className="h-24 animate-pulse rounded-md bg-sunken" />;
  if (content.table) return <DataTable table={content.table} />;
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

/** HTML that was too large for the result and is an artifact: as much of it as is worth its space, and the way to the rest. */
export function LargeHtml({ id }: { id: string }) {
  const address = `/artifacts/${encodeURIComponent(id)}`;
  const contents = useArtifactText(`${address}/result`, MOST_RESULT_BYTES);
  if (!contents) return <div className="h-24 animate-pulse rounded-md bg-sunken" />;
  if ("problem" in contents) return <p className="text-muted text-sm">{contents.problem}</p>;
  return (
    <div className="grid min-w-0 grid-cols-1 gap-1.5">
      <HtmlResult html={contents.text} artifactId={id} />
      <Link href={address} className="flex w-max items-center gap-1.5 text-accent text-xs hover:underline">
        <ExternalLink className="size-3.5" aria-hidden /> Open all of it
      </Link>
    </div>
  );
}
