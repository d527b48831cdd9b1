// A Jupyter notebook as far as it can be shown. It is a file that anybody may have written: whatever doesn't fit is left out.
import { z } from "zod";
import { figureLibrary } from "#app/_figures/figure-kind.ts";
import type { RichResult } from "#app/_results/rich-results.tsx";

const lines = z
  .union([z.string(), z.array(z.string())])
  .transform((text) => (Array.isArray(text) ? text.join("") : text));
const outputShape = z.object({
  output_type: z.string(),
  name: z.string().optional().catch(undefined),
  text: lines.optional().catch(undefined),
  data: z.record(z.string(), z.unknown()).optional().catch(undefined),
  traceback: z.array(z.string()).optional().catch(undefined),
  evalue: z.string().optional().catch(undefined),
});
const cellShape = z.object({
  cell_type: z.string(),
  source: lines.catch(""),
  execution_count: z.number().nullish().catch(null),
  outputs: z.array(z.unknown()).optional().catch(undefined),
});
const notebookShape = z.object({
  cells: z.array(z.unknown()),
  metadata: z
    .object({ language_info: z.object({ name: z.string() }).optional().catch(undefined) })
    .optional()
    .catch(undefined),
});

export interface NotebookOutput {
  stdout?: string;
  stderr?: string;
  result?: RichResult;
}

export interface NotebookCell {
  kind: "markdown" | "code" | "raw";
  source: string;
  count: number | null;
  outputs: NotebookOutput[];
}

export interface Notebook {
  language: string;
  cells: NotebookCell[];
}

// The richest form first, after data that we draw ourselves.
const FORMS = [
  "image/svg+xml",
  "image/png",
  "image/jpeg",
  "image/gif",
  "text/html",
  "text/markdown",
  "text/latex",
  "application/json",
  "text/plain",
];

export function readNotebook(text: string): Notebook | undefined {
  const parsed = notebookShape.safeParse(parseJson(text));
  if (!parsed.success) return undefined;
  return {
    language: parsed.data.metadata?.language_info?.name ?? "python",
    cells: parsed.data.cells.flatMap((cell) => {
      const { data } = cellShape.safeParse(cell);
      return data ? [toCell(data)] : [];
    }),
  };
}

function toCell({
  cell_type,
  source,
  execution_count,
  outputs = [],
}: z.infer<typeof cellShape>): NotebookCell {
  const kind = cell_type === "markdown" || cell_type === "code" ? cell_type : "raw";
  return {
    kind,
    source,
    count: execution_count ?? null,
    outputs: outputs.flatMap((output) => {
      const { data } = outputShape.safeParse(output);
      return data ? toOutput(data) : [];
    }),
  };
}

function toOutput({
  output_type,
  name,
  text,
  data,
  traceback,
  evalue,
}: z.infer<typeof outputShape>): NotebookOutput[] {
  if (output_type === "stream") return [name === "stderr" ? { stderr: text ?? "" } : { stdout: text ?? "" }];
  if (output_type === "error") return [{ stderr: traceback?.join("\n") ?? evalue ?? "" }];
  if (!data) return [];
  const figure = Object.keys(data).find((form) => figureLibrary(form) !== undefined);
  const mime = figure ?? FORMS.find((form) => Object.hasOwn(data, form));
  if (!mime) return [];
  const value = mime.endsWith("json") ? JSON.stringify(data[mime]) : lines.safeParse(data[mime]).data;
  if (value === undefined) return [];
  const binary = mime.startsWith("image/") && mime !== "image/svg+xml";
  return [{ result: binary ? { mime, data: value } : { mime, text: value } }];
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
