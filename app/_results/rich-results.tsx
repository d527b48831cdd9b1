"use client";

import { CodeBlock } from "#app/_code/code-block.tsx";
import { figureLibrary } from "#app/_figures/figure-kind.ts";
import { Markdown } from "#app/_markdown/markdown.tsx";
import { FigureResult } from "./figure-result.tsx";
import { HtmlResult } from "./html-result.tsx";
import { KeptHtml } from "./kept-html.tsx";
import { isPicture, pictureOf } from "./picture-of.ts";
import { Terminal } from "./terminal.tsx";

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
        <KeptHtml id={artifact_id} />
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
