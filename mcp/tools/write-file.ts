import { z } from "zod";
import { defineTool, type Outcome, type ToolContext } from "./tool.ts";

export const writeFile = defineTool({
  name: "write_file",
  title: "Write a file",
  description: `Writes a text file in the sandbox, replacing what was there or, with append=true, adding to it. Missing parent
directories are made. Prefer it to long here-documents: write the program to a file, then run it.`,
  input: z.object({
    file_path: z.string().min(1).describe("Relative paths are under /workspace."),
    content: z.string().max(8_000_000),
    append: z.boolean().default(false),
  }),
  output: z.object({ file_path: z.string(), bytes_written: z.number(), size: z.number() }),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  recorded: true,
  presentation: {
    title: "Write",
    titleIf: { append: "Append to" },
    label: "Write file",
    icon: "file-pen",
    open: true,
    subject: { arguments: ["file_path"] },
    code: { argument: "content", path: "file_path", language: "text" },
  },
  steps: ({ file_path, content, append }) => [{ kind: "file", path: file_path, content, append }],
  run: ({ file_path, content, append }, context) =>
    writeText(append ? "append" : "write", file_path, content, context),
});

export async function writeText(
  how: "write" | "append",
  file_path: string,
  content: string,
  { sandbox, signal }: Pick<ToolContext, "sandbox" | "signal">,
): Promise<Outcome> {
  const { bytesWritten, size } = await sandbox.files[how](file_path, content, signal ? { signal } : {});
  return {
    structured: { file_path, bytes_written: bytesWritten, size },
    text: `Wrote ${bytesWritten} bytes to ${file_path}, which now has ${size}.`,
    changed: [file_path],
  };
}
