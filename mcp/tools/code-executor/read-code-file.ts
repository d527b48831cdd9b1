import { z } from "zod";
import { defineTool } from "../tool.ts";
import { filePath } from "./code-file.ts";

const MOST_BYTES = 1_000_000;

export const readCodeFile = defineTool({
  name: "read_code_file",
  title: "Read a code file",
  description: "Reads a whole text file of up to 1 MB. For parts of a file use read_file.",
  input: z.object({ file_path: filePath }),
  output: z.object({ file_path: z.string(), content: z.string() }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  recorded: false,
  presentation: { title: "Read", icon: "file", open: false, subject: { arguments: ["file_path"] } },
  async run({ file_path }, { sandbox, signal }) {
    const bytes = await sandbox.files.read(file_path, { maxBytes: MOST_BYTES, ...(signal && { signal }) });
    const content = bytes.toString("utf8");
    return { structured: { file_path, content }, text: content };
  },
});
