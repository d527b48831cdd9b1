import { z } from "zod";
import { defineTool } from "./tool.ts";

// More than this would fill a model's context with one call.
const MOST_BYTES = 1_000_000;

export const readFile = defineTool({
  name: "read_file",
  title: "Read a text file",
  description: `Reads lines of a text file in the sandbox. Use offset and line_count for parts of a long file; files over 1 MB
must be read in another way, such as head or rg with execute_bash.`,
  input: z.object({
    file_path: z
      .string()
      .min(1)
      .describe("Relative paths are under /workspace. /skills and /tools can be read too."),
    offset: z.number().int().min(0).default(0).describe("First line, counted from 0."),
    line_count: z
      .number()
      .int()
      .positive()
      .optional()
      .describe("How many lines; all that follow if left out."),
  }),
  output: z.object({
    file_path: z.string(),
    content: z.string(),
    offset: z.number(),
    line_count: z.number(),
    total_lines: z.number(),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  recorded: false,
  presentation: { title: "Read", icon: "file", open: false, subject: { arguments: ["file_path"] } },
  async run({ file_path, offset, line_count }, { sandbox, signal }) {
    const bytes = await sandbox.files.read(file_path, { maxBytes: MOST_BYTES, ...(signal && { signal }) });
    const lines = bytes.toString("utf8").split("\n");
    // A file that ends with a newline has no further line after it.
    if (lines.at(-1) === "") lines.pop();
    const wanted = lines.slice(offset, line_count === undefined ? undefined : offset + line_count);
    const content = wanted.join("\n");
    const structured = { file_path, content, offset, line_count: wanted.length, total_lines: lines.length };
    return { structured, text: content };
  },
});
