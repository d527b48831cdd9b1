"use client";

import { Figure } from "#app/_figures/figure.tsx";
import type { FigureLibrary } from "#app/_figures/figure-kind.ts";
import { useArtifactText } from "./use-artifact-text.ts";

// The largest result a cell can have.
const MOST_BYTES = 4 * 2 ** 20;

interface Props {
  library: FigureLibrary;
  text: string;
  artifactId: string | undefined;
}

/** A figure that came as data: in the result, or as the artifact that the result is kept as. */
export function FigureResult({ library, text, artifactId }: Props) {
  if (text) return <Figure library={library} text={text} />;
  if (artifactId) return <KeptFigure library={library} id={artifactId} />;
  return <p className="text-muted text-sm">A figure was shown here that could not be kept.</p>;
}

function KeptFigure({ library, id }: { library: FigureLibrary; id: string }) {
  const found = useArtifactText(`/artifacts/${encodeURIComponent(id)}/result`, MOST_BYTES);
  if (!found) return <div className="h-80 animate-pulse rounded-md bg-sunken" />;
  if ("problem" in found) return <p className="text-muted text-sm">{found.problem}</p>;
  return <Figure library={library} text={found.text} />;
}
