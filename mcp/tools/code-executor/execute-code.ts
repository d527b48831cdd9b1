import { z } from "zod";
import { defineTool } from "../tool.ts";
import { codePath, codeView, fileName, runFile } from "./code-file.ts";

export const executeCode = defineTool({
  name: "execute_code",
  title: "Run a Python program",
  description: `Saves Python code to a file in /workspace/code and runs it in a fresh interpreter: nothing is remembered from earlier
calls. For code that builds on earlier calls use execute_python. Returns output, exit code and the file's path.`,
  input: z.object({
    code: z.string().min(1).max(1_000_000),
    filename: fileName.optional().describe("Of the file to save to; one is made up if left out."),
  }),
  output: codeView,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  recorded: true,
  standsInLine: true,
  presentation: {
    title: "Python program",
    icon: "terminal",
    open: true,
    subject: { arguments: ["filename"] },
    code: { argument: "code", language: "python" },
  },
  steps({ code, filename }, executionId) {
    const path = codePath(filename ?? `code-${executionId}`);
    return [
      { kind: "file", path, content: code, append: false },
      { kind: "program", path },
    ];
  },
  async run({ code, filename }, context) {
    const path = codePath(filename ?? `code-${context.executionId}`);
    await context.sandbox.files.write(path, code, context.signal ? { signal: context.signal } : {});
    return runFile(path, context);
  },
});
