import { z } from "zod";
import { defineTool, ToolProblem } from "./tool.ts";

const MOST_BYTES = 8_000_000;

export const editFile = defineTool({
  name: "edit_file",
  title: "Edit a file",
  description: `Replaces a piece of a text file. old_text must occur in the file exactly as given, whitespace included, and only
once unless replace_all is true: include enough of its surroundings to make it unique.`,
  input: z.object({
    file_path: z.string().min(1).describe("Relative paths are under /workspace."),
    old_text: z.string().min(1),
    new_text: z.string(),
    replace_all: z.boolean().default(false),
  }),
  output: z.object({ file_path: z.string(), replacements: z.number(), size: z.number() }),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  recorded: true,
  presentation: {
    title: "Edit",
    label: "Edit file",
    icon: "file-pen",
    open: true,
    subject: { arguments: ["file_path"] },
    summary: { kind: "diff", from: "old_text", to: "new_text" },
  },
  async run({ file_path, old_text, new_text, replace_all }, { sandbox }) {
    const pieces = textOf(await sandbox.files.read(file_path, { maxBytes: MOST_BYTES }), file_path).split(
      old_text,
    );
    const found = pieces.length - 1;
    if (found === 0)
      throw new ToolProblem(`old_text does not occur in ${file_path}. Read the file and copy it exactly.`);
    if (found > 1 && !replace_all) {
      throw new ToolProblem(
        `old_text occurs ${found} times in ${file_path}. Include more around it, or set replace_all.`,
      );
    }
    const { size } = await sandbox.files.write(file_path, pieces.join(new_text));
    const structured = { file_path, replacements: found, size };
    const text = `Replaced ${found === 1 ? "one place" : `${found} places`} in ${file_path}.`;
    return { structured, text, changed: [file_path] };
  },
});

/** Writing back a file that is not UTF-8 would change bytes that nobody asked to change. */
function textOf(bytes: Buffer, path: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new ToolProblem(`${path} is not UTF-8 text, so it can't be edited as text.`);
  }
}
