// The older server's tools for programs: code is kept in Python files in /workspace/code, and run by a fresh interpreter.
import { z } from "zod";
import { describeExecution, executionView, viewOf } from "../execution-view.ts";
import { defineTool, type Outcome, type ToolContext } from "../tool.ts";
import { writeText } from "../write-file.ts";

const MOST_BYTES = 1_000_000;

const fileName = z
  .string()
  .regex(/^[\w][\w.-]{0,99}$/, "must have letters, digits, dots, - and _ only, up to 100");

const filePath = z.string().min(1).max(4096).describe("Relative paths are under /workspace.");

const codeView = executionView.extend({ file_path: z.string() });

export const executeCode = defineTool({
  name: "execute_code",
  title: "Run a Python program",
  description: `Saves Python code to a file in /workspace/code and runs it in a fresh interpreter: nothing is remembered from earlier
calls. For code that builds on earlier calls use execute_python. Returns output, exit code and the file's path.`,
  input: z.object({
    code: z.string().min(1).max(MOST_BYTES),
    filename: fileName.optional().describe("Of the file to save to; one is made up if left out."),
  }),
  output: codeView,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  recorded: true,
  needsPlace: true,
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

export const initializeCodeFile = defineTool({
  name: "initialize_code_file",
  title: "Begin a Python file",
  description: `Makes a Python file in /workspace/code with its first content, replacing one of that name. For programs that are too
long for one call: go on with append_to_code_file, then run it with execute_code_file. Returns the file's path.`,
  input: z.object({ content: z.string().max(MOST_BYTES), filename: fileName }),
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

export const appendToCodeFile = defineTool({
  name: "append_to_code_file",
  title: "Add to a Python file",
  description: "Adds content to the end of a file, such as one begun with initialize_code_file.",
  input: z.object({ file_path: filePath, content: z.string().max(MOST_BYTES) }),
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

export const executeCodeFile = defineTool({
  name: "execute_code_file",
  title: "Run a Python file",
  description: "Runs a Python file in a fresh interpreter, with /workspace as the working directory.",
  input: z.object({ file_path: filePath }),
  output: codeView,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  recorded: true,
  needsPlace: true,
  presentation: {
    title: "Python file",
    icon: "terminal",
    open: true,
    subject: { arguments: ["file_path"] },
  },
  steps: ({ file_path }) => [{ kind: "program", path: file_path }],
  run: ({ file_path }, context) => runFile(file_path, context),
});

function codePath(name: string): string {
  return `/workspace/code/${name.endsWith(".py") ? name : `${name}.py`}`;
}

async function runFile(file_path: string, { sandbox, run }: ToolContext): Promise<Outcome> {
  const execution = await sandbox.run(`python3 -- ${quoted(absolute(file_path))}`, run);
  const view = { ...viewOf(execution), file_path };
  return { structured: view, text: describeExecution(view), execution };
}

function absolute(path: string): string {
  return path.startsWith("/") ? path : `/workspace/${path}`;
}

/** One word to bash, whatever is in it. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
