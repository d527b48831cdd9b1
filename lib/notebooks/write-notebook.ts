// Jupyter's file format (nbformat 4.5), with the output cells had, so that it reads without being run.
export interface NotebookCell {
  id: string;
  type: "code" | "markdown";
  source: string;
  output?: CellOutput;
  /** For whoever looks into the file. */
  about?: string;
}

export interface CellOutput {
  stdout: string;
  stderr: string;
  results: CellResult[];
}

/** What was displayed: text, or bytes as base64. */
export type CellResult = { mime: string; text: string } | { mime: string; data: string };

export function writeNotebook(cells: NotebookCell[]): string {
  const notebook = {
    cells: cells.map(toCell),
    metadata: {
      kernelspec: { display_name: "Python 3", language: "python", name: "python3" },
      language_info: { name: "python" },
    },
    nbformat: 4,
    nbformat_minor: 5,
  };
  return `${JSON.stringify(notebook, null, 1)}\n`;
}

function toCell({ id, type, source, output, about }: NotebookCell) {
  const cell = { cell_type: type, id, metadata: about ? { cove: about } : {}, source: lines(source) };
  return type === "markdown"
    ? cell
    : { ...cell, execution_count: null, outputs: output ? outputsOf(output) : [] };
}

function outputsOf({ stdout, stderr, results }: CellOutput) {
  return [
    ...stream("stdout", stdout),
    ...stream("stderr", stderr),
    ...results.map((result) => ({
      output_type: "display_data",
      metadata: {},
      data: { [result.mime]: contentOf(result) },
    })),
  ];
}

/** JSON stands in a notebook as it is; the rest as text. */
function contentOf(result: CellResult): unknown {
  if ("data" in result) return result.data;
  try {
    return result.mime.endsWith("json") ? JSON.parse(result.text) : lines(result.text);
  } catch {
    return lines(result.text);
  }
}

function stream(name: string, text: string) {
  return text === "" ? [] : [{ output_type: "stream", name, text: lines(text) }];
}

/** As nbformat keeps text: a list of lines that still have their ends. */
function lines(text: string): string[] {
  return text === "" ? [] : text.split(/(?<=\n)/);
}
