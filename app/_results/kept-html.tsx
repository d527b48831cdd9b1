"use client";

import { ExternalLink } from "lucide-react";
import Link from "next/link";
import { HtmlResult } from "./html-result.tsx";
import { useArtifactText } from "./use-artifact-text.ts";

// The largest result a cell can have.
const MOST_BYTES = 4 * 2 ** 20;

/** HTML that was too large for the result and is an artifact: as much of it as is worth its space, and the way to the rest. */
export function KeptHtml({ id }: { id: string }) {
  const address = `/artifacts/${encodeURIComponent(id)}`;
  const found = useArtifactText(`${address}/result`, MOST_BYTES);
  if (!found) return <div className="h-24 animate-pulse rounded-md bg-sunken" />;
  if ("problem" in found) return <p className="text-muted text-sm">{found.problem}</p>;
  return (
    <div className="grid min-w-0 grid-cols-1 gap-1.5">
      <HtmlResult html={found.text} artifactId={id} />
      <Link href={address} className="flex w-max items-center gap-1.5 text-accent text-xs hover:underline">
        <ExternalLink className="size-3.5" aria-hidden /> Open all of it
      </Link>
    </div>
  );
}
