// A console as a Jupyter notebook: its cells as they are on the page, with what their latest runs printed and displayed.
import { findConsole, runsOfConsole } from "#db/queries/consoles.ts";
import { db } from "../database.ts";
import { runOutputs } from "../notebooks/run-output.ts";
import { type CellOutput, writeNotebook } from "../notebooks/write-notebook.ts";
import { noSuchConsole } from "./consoles.ts";
import type { Cell, Content } from "./content.ts";

export async function exportConsole(userId: string, id: string, { cells }: Content): Promise<string> {
  if (!(await findConsole(db(), userId, id))) throw noSuchConsole();
  const runs = await runsOfConsole(db(), userId, id);
  const shown = cells.flatMap((cell) => runs[cell.id] ?? []);
  const outputs = await runOutputs(userId, shown);
  return toNotebook(cells, (cellId) => outputs.get(runs[cellId] ?? ""));
}

export function toNotebook(cells: Cell[], outputOf: (cellId: string) => CellOutput | undefined): string {
  return writeNotebook(
    cells.map(({ id, kind, code }) => {
      if (kind === "text") return { id, type: "markdown", source: code };
      const output = outputOf(id);
      const source = kind === "bash" ? `%%bash\n${code}` : code;
      return { id, type: "code", source, ...(output && { output }) };
    }),
  );
}
