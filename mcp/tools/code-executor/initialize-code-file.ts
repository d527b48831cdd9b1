import { z } from "zod";
import { defineTool } from "../tool.ts";
import { writeText } from "../write-file.ts";
import { codePath, fileName } from "./code-file.ts";

export const initializeCodeFile = defineTool({
  name: "initialize_code_file",
  title: "Begin a Python file",
  description: `Makes a Python file in /workspace/code with its first content, replacing one of that name. For programs that are too
long for one call: go on with append_to_code_file, then run it with execute_code_file. Returns the file's path.`,
  input: z.object({ content: z.string().max(1_000_000), filename: fileName }),
  output: z.object({ file_path: z.string(), bytes_written: z.number(), size: z.number() }),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  recorded: true,
  presentation: {
    title: "Write",
    label: "Begin code file",
    icon: "file-pen",
    open: true,
    subject: { arguments: ["filename"] },
    code: { argument: "content", path: "filename", language: "python" },
  },
  steps: ({ content, filename }) => [{ kind: "file", path: codePath(filename), content, append: false }],
  run: ({ content, filename }, context) => writeText("write", codePath(filename), content, context),
});
