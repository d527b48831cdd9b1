import { z } from "zod";
import { defineTool } from "../tool.ts";
import { codeView, filePath, runFile } from "./code-file.ts";

export const executeCodeFile = defineTool({
  name: "execute_code_file",
  title: "Run a Python file",
  description: "Runs a Python file in a fresh interpreter, with /workspace as the working directory.",
  input: z.object({ file_path: filePath }),
  output: codeView,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  recorded: true,
  standsInLine: true,
  presentation: {
    title: "Python file",
    icon: "terminal",
    open: true,
    subject: { arguments: ["file_path"] },
  },
  steps: ({ file_path }) => [{ kind: "program", path: file_path }],
  run: ({ file_path }, context) => runFile(file_path, context),
});
