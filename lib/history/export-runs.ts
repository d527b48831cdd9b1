// A selection of runs as a file that repeats them elsewhere.
import { z } from "zod";
import { listCalls } from "#db/queries/history.ts";
import { AppError } from "../app-error.ts";
import { db } from "../database.ts";
import { runOutputs } from "../notebooks/run-output.ts";
import type { CellOutput } from "../notebooks/write-notebook.ts";
import { readJsonText } from "../read-json-text.ts";
import { type ExportedCall, stepsOf } from "./formats/exported-call.ts";
import { toNotebook } from "./formats/notebook.ts";
import { toPython } from "./formats/python.ts";
import { toShell } from "./formats/shell.ts";

const FORMATS = {
  py: { write: toPython, mime: "text/x-python; charset=utf-8" },
  sh: { write: toShell, mime: "text/x-shellscript; charset=utf-8" },
  ipynb: { write: toNotebook, mime: "application/x-ipynb+json" },
};

export type ExportFormat = keyof typeof FORMATS;
export const EXPORT_FORMATS = ["py", "sh", "ipynb"] as const satisfies ExportFormat[];

const NO_OUTPUT = { stdout: "", stderr: "", results: [] };

/** In the order they were run. */
export async function exportRuns(userId: string, ids: string[], format: ExportFormat) {
  const rows = await listCalls(db(), userId, ids);
  if (rows.length === 0) throw new AppError("not_found", "There are no such runs.");
  // A script shows no output.
  const outputs =
    format === "ipynb"
      ? await runOutputs(
          userId,
          rows.map(({ id }) => id),
        )
      : new Map<string, CellOutput>();
  const calls = rows.map(
    (row): ExportedCall => ({
      about: `${row.createdAt.toISOString().slice(0, 16).replace("T", " ")} UTC, ${row.tool}, ${row.status}${row.arguments === "" ? ", its code was removed" : ""}`,
      steps: stepsOf(row.id, row.tool, readJsonText(z.record(z.string(), z.unknown()), row.arguments, {})),
      output: outputs.get(row.id) ?? NO_OUTPUT,
    }),
  );
  const { write, mime } = FORMATS[format];
  return { text: write(calls), mime, name: `cove-history.${format}` };
}
