import { writeNotebook } from "../../notebooks/write-notebook.ts";
import type { ExportedCall, Step } from "./exported-call.ts";
import { pythonOf } from "./python.ts";

/** A cell for each step, with the output of the run below its last. */
export function toNotebook(calls: ExportedCall[]): string {
  return writeNotebook(
    calls.flatMap(({ about, steps, output }, at) =>
      steps.map((step, n) => ({
        id: n === 0 ? `run-${at + 1}` : `run-${at + 1}-${n + 1}`,
        type: "code" as const,
        source: ofStep(step),
        about,
        ...(n === steps.length - 1 && { output }),
      })),
    ),
  );
}

function ofStep(step: Step): string {
  switch (step.kind) {
    case "bash":
      return `%%bash\n${step.cwd === undefined ? "" : `cd '${step.cwd.replaceAll("'", "'\\''")}'\n`}${step.command}`;
    case "file":
      // The magic makes no folders, and splits names at spaces.
      return /^[\w.-]+$/.test(step.path)
        ? `%%writefile ${step.append ? "-a " : ""}${step.path}\n${step.content}`
        : `import os\n${pythonOf(step)}`;
    case "packages":
      return `%pip install ${step.packages.join(" ")}`;
    case "other":
      return `# ${step.tool}: not something a notebook can repeat`;
    case "python":
      return step.code;
  }
}
