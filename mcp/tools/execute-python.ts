import { z } from "zod";
import type { PythonResult } from "#sandbox/index.ts";
import { programText, sessionName, timeoutSeconds } from "./arguments.ts";
import { describeExecution, pythonView, pythonViewOf } from "./execution-view.ts";
import { defineTool } from "./tool.ts";

export const executePython = defineTool({
  name: "execute_python",
  title: "Run Python",
  description: `Runs Python in a session that remembers: variables, imports and functions last from call to call, as in a notebook.

The value of the last expression and everything displayed comes back, pictures and tables included; open matplotlib figures are
shown at the end. Magics, !commands and top-level await work; input() doesn't. numpy, pandas, scipy, matplotlib, scikit-learn,
sympy, pillow, requests, beautifulsoup4, lxml and openpyxl are installed; install_dependencies adds others. If \`restarted\` is
true, the variables of earlier calls are gone. For longer programs write a file and run it with execute_bash.`,
  input: z.object({
    code: programText,
    session: sessionName,
    timeout: timeoutSeconds,
  }),
  output: pythonView,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  recorded: true,
  needsPlace: true,
  presentation: {
    title: "Python",
    icon: "terminal",
    open: true,
    subject: { arguments: ["session"], before: "session ", unless: "default" },
    code: { argument: "code", language: "python" },
  },
  steps: ({ code }) => [{ kind: "python", code }],
  async run({ code, session, timeout }, { sandbox, run, limits }) {
    const timeoutMs = (timeout ?? limits.timeoutSeconds) * 1000;
    const execution = await sandbox.python(code, { ...run, session, timeoutMs });
    const view = pythonViewOf(execution);
    return { structured: view, text: describeCell(execution), images: imagesOf(execution), execution };
  },
});

function describeCell(cell: PythonResult): string {
  const shown = cell.results.map(({ mime, text, plain }) => plain ?? text ?? `[${mime}]`);
  return describeExecution(pythonViewOf(cell), shown);
}

function imagesOf({ results }: PythonResult): { mime: string; data: Buffer }[] {
  return results.flatMap(({ mime, data }) => (data ? [{ mime, data }] : []));
}
