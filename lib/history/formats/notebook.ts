import type { ExportedCall, Step } from "./exported-call.ts";

/** A notebook (nbformat 4.5) with the output it had, so that it reads without being run. */
export function toNotebook(calls: ExportedCall[]): string {
  const notebook = {
    cells: calls.map(toCell),
    metadata: {
      kernelspec: { display_name: "Python 3", language: "python", name: "python3" },
      language_info: { name: "python" },
    },
    nbformat: 4,
    nbformat_minor: 5,
  };
  return `${JSON.stringify(notebook, null, 1)}\n`;
}

function toCell({ about, step, output }: ExportedCall, index: number) {
  return {
    cell_type: "code",
    id: `run-${index + 1}`,
    metadata: { cove: about },
    execution_count: null,
    source: lines(ofStep(step)),
    outputs: [
      ...stream("stdout", output.stdout),
      ...stream("stderr", output.stderr),
      ...output.results.map(display),
    ],
  };
}

function ofStep(step: Step): string {
  switch (step.kind) {
    case "python":
      return step.code;
    case "bash":
      return `%%bash\n${step.cwd === undefined ? "" : `cd '${step.cwd.replaceAll("'", "'\\''")}'\n`}${step.command}`;
    case "file":
      return `%%writefile ${step.append ? "-a " : ""}${step.path}\n${step.content}`;
    case "packages":
      return `%pip install ${step.packages.join(" ")}`;
    case "other":
      return `# ${step.tool}: not something a notebook can repeat`;
  }
}

function stream(name: string, text: string) {
  return text === "" ? [] : [{ output_type: "stream", name, text: lines(text) }];
}

function display({ mime, text, data }: ExportedCall["output"]["results"][number]) {
  return { output_type: "display_data", metadata: {}, data: { [mime]: data ?? lines(text ?? "") } };
}

/** As nbformat keeps text: a list of lines that still have their ends. */
function lines(text: string): string[] {
  return text.split(/(?<=\n)/);
}
