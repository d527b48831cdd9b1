// A Jupyter notebook as a console. It is anybody's file: every part of it is checked.
import { z } from "zod";
import { type Content, cells as checkedCells, consoleName } from "#lib/console/content.ts";
import { type Cell, type CellKind, newCell } from "./document.ts";

const text = z.union([z.string(), z.array(z.string())]).transform((lines) => [lines].flat().join(""));

const notebook = z.object({
  nbformat: z.number().optional(),
  metadata: z
    .object({
      kernelspec: z.object({ language: z.string().optional(), name: z.string().optional() }).optional(),
      language_info: z.object({ name: z.string().optional() }).optional(),
    })
    .catch({}),
  cells: z.array(z.object({ cell_type: z.string(), source: text.catch("") })),
});

const MAGIC = /^%%(?:bash|sh)[^\S\n]*\n/;

/** Throws a sentence where it isn't a notebook, or not one of ours to run. */
export function readNotebook(json: string, fileName: string): Content {
  const parsed = notebook.safeParse(parse(json));
  if (!parsed.success) throw new Error("This file is not a Jupyter notebook (version 4).");
  const { metadata, cells } = parsed.data;
  const language = (metadata.language_info?.name ?? metadata.kernelspec?.language ?? "python").toLowerCase();
  if (!["python", "ipython", "bash"].includes(language)) {
    throw new Error(`This notebook is written in ${language.slice(0, 30)}; a console runs Python and bash.`);
  }
  const made = cells.map(({ cell_type, source }) => toCell(cell_type, source, language));
  const checked = checkedCells.safeParse(made.length > 0 ? made : [newCell()]);
  if (!checked.success) throw new Error(checked.error.issues[0]?.message ?? "This notebook is too large.");
  const name = consoleName.safeParse(fileName.replace(/\.ipynb$/i, "").slice(0, 100));
  return { name: name.data ?? "Notebook", session: "default", cells: checked.data };
}

function toCell(type: string, source: string, language: string): Cell {
  if (type !== "code") return newCell("text", source);
  const kind: CellKind = language === "bash" || MAGIC.test(source) ? "bash" : "python";
  return newCell(kind, source.replace(MAGIC, ""));
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw new Error("This file is not a notebook: it isn't even JSON.");
  }
}
