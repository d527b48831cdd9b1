import { z } from "zod";
import { defineTool } from "../tool.ts";
import { writeText } from "../write-file.ts";
import { filePath } from "./code-file.ts";

export const appendToCodeFile = defineTool({
  name: "append_to_code_file",
  title: "Add to a Python file",
  description: "Adds content to the end of a file, such as one begun with initialize_code_file.",
  input: z.object({ file_path: filePath, content: z.string().max(1_000_000) }),
  output: z.object({ file_path: z.string(), bytes_written: z.number(), size: z.number() }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  recorded: true,
  presentation: {
    title: "Append to",
    label: "Append to code file",
    icon: "file-pen",
    open: true,
    subject: { arguments: ["file_path"] },
    code: { argument: "content", path: "file_path", language: "python" },
  },
  steps: ({ file_path, content }) => [{ kind: "file", path: file_path, content, append: true }],
  run: ({ file_path, content }, context) => writeText("append", file_path, content, context),
});
