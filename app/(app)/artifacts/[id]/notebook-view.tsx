"use client";

import { CodeBlock } from "#app/_code/code-block.tsx";
import { Markdown } from "#app/_markdown/markdown.tsx";
import { RichResults } from "#app/_results/rich-results.tsx";
import { Terminal } from "#app/_results/terminal.tsx";
import type { Notebook, NotebookCell, NotebookOutput } from "./read-notebook.ts";

export function NotebookView({ notebook: { language, cells } }: { notebook: Notebook }) {
  return (
    <div className="grid min-w-0 grid-cols-1 gap-5 rounded-lg border bg-surface p-4 md:p-6">
      {cells.map((cell, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a cell is its place.
        <Cell key={index} cell={cell} language={language} />
      ))}
      {cells.length === 0 && <p className="text-muted text-sm">This notebook has no cells.</p>}
    </div>
  );
}

function Cell({ cell, language }: { cell: NotebookCell; language: string }) {
  if (cell.kind === "markdown") return <Markdown text={cell.source} />;
  return (
    <section className="grid min-w-0 grid-cols-1 gap-2">
      <CodeBlock
        code={cell.source}
        {...(cell.kind === "code" && { language })}
        title={cell.count === null ? undefined : `In [${cell.count}]`}
      />
      {cell.outputs.map((output, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an output is its place.
        <Output key={index} output={output} />
      ))}
    </section>
  );
}

function Output({ output }: { output: NotebookOutput }) {
  if (output.result) return <RichResults results={[output.result]} />;
  return (
    <Terminal
      stdout={output.stdout ?? ""}
      stderr={output.stderr ?? ""}
      className="overflow-hidden rounded-md border"
    />
  );
}
