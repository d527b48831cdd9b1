"use client";

import { CodeBlock } from "#app/_code/code-block.tsx";
import { Figure } from "#app/_figures/figure.tsx";
import { type FigureLibrary, figureLibrary } from "#app/_figures/figure-kind.ts";
import { Markdown } from "#app/_markdown/markdown.tsx";
import { HtmlResult, LargeHtml } from "./html-result.tsx";
import { Terminal } from "./terminal.tsx";
import { MOST_RESULT_BYTES, useArtifactText } from "./use-artifact-text.ts";

const PICTURES = ["image/png", "image/jpeg", "image/gif", "image/webp", "image/svg+xml"];

export interface RichResult {
  mime: string;
  text?: string;
  /** Base64. */
  data?: string;
  artifact_id?: string;
}

/** What a cell of Python gave back: pictures, tables, formulas, data. All of it is untrusted. */
export function RichResults({ results }: { results: RichResult[] }) {
  if (results.length === 0) return null;
  return (
    <div className="grid min-w-0 grid-cols-1 gap-3">
      {results.map((result, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: results only ever grow at the end.
        <Result key={index} result={result} />
      ))}
    </div>
  );
}

function Result({ result }: { result: RichResult }) {
  const { mime, text = "", artifact_id } = result;
  const picture = pictureOf(result);
  if (picture) {
    return (
      // biome-ignore lint/performance/noImgElement: the picture is already here, or an artifact that is served as it is.
      <img
        src={picture}
        alt="Result of the code"
        className="h-auto max-w-full rounded-md bg-white"
        loading="lazy"
      />
    );
  }
  if (isPicture(result)) {
    return <p className="text-muted text-sm">A picture was shown here that could not be kept.</p>;
  }
  const library = figureLibrary(mime);
  if (library) return <FigureResult library={library} text={text} artifactId={artifact_id} />;
  switch (mime) {
    case "text/html":
      return !text && artifact_id ? (
        <LargeHtml id={artifact_id} />
      ) : (
        <HtmlResult html={text} artifactId={artifact_id} />
      );
    case "text/markdown":
      return <Markdown text={text} />;
    case "text/latex":
      return <Markdown text={`$$\n${text.replace(/^\s*\$+|\$+\s*$/g, "")}\n$$`} />;
    case "application/json":
      return <CodeBlock code={indented(text)} language="json" />;
    default:
      return <Terminal stdout={text} label="Result" className="overflow-hidden rounded-md border" />;
  }
}

function indented(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json;
  }
}

/** A figure that came as data: in the result, or as the artifact that the result is kept as. */
function FigureResult({
  library,
  text,
  artifactId,
}: {
  library: FigureLibrary;
  text: string;
  artifactId: string | undefined;
}) {
  if (text) return <Figure library={library} text={text} />;
  if (artifactId) return <LargeFigure library={library} id={artifactId} />;
  return <p className="text-muted text-sm">A figure was shown here that could not be kept.</p>;
}

function LargeFigure({ library, id }: { library: FigureLibrary; id: string }) {
  const contents = useArtifactText(`/artifacts/${encodeURIComponent(id)}/result`, MOST_RESULT_BYTES);
  if (!contents) return <div className="h-80 animate-pulse rounded-md bg-sunken" />;
  if ("problem" in contents) return <p className="text-muted text-sm">{contents.problem}</p>;
  return <Figure library={library} text={contents.text} />;
}

export function isPicture({ mime }: Pick<RichResult, "mime">): boolean {
  return PICTURES.includes(mime);
}

/** The address of a result's picture. SVG is only ever drawn as an image, where its scripts don't run and nothing loads. */
export function pictureOf({ mime, text, data, artifact_id }: RichResult): string | undefined {
  if (!isPicture({ mime })) return undefined;
  if (artifact_id) return `/artifacts/${encodeURIComponent(artifact_id)}/result`;
  if (data && /^[\w+/=\s-]+$/.test(data)) return `data:${mime};base64,${data}`;
  if (mime === "image/svg+xml" && text) return `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  return undefined;
}
