"use client";

import { LoaderCircle } from "lucide-react";
import { Notice } from "#app/_components/notice.tsx";
import { useArtifactText } from "#app/_results/use-artifact-text.ts";
import { TextView } from "./text-view.tsx";
import type { Shown } from "./view.tsx";

// What a browser parses and holds without strain.
const MOST_BYTES = 16 * 2 ** 20;

/** Tables, notebooks and JSON mean nothing by their beginning alone: a large one is fetched after the page. */
export function WholeText({ artifact }: { artifact: Shown }) {
  const found = useArtifactText(artifact.href, MOST_BYTES);
  if (!found) {
    return (
      <output className="flex items-center justify-center gap-2 py-16 text-muted text-sm">
        <LoaderCircle className="size-4 animate-spin" aria-hidden /> Loading…
      </output>
    );
  }
  if ("problem" in found) return <Notice kind="problem">{found.problem}</Notice>;
  return <TextView artifact={artifact} content={found} />;
}
