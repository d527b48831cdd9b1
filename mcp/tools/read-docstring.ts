import { z } from "zod";
import { defineTool, ToolProblem } from "./tool.ts";

// Parses the file and never imports it: reading about code must not run it.
const PARSE = `
import ast, json, sys
path, name = sys.argv[1:]
with open(path, "rb") as file:
    tree = ast.parse(file.read(), path)
at = tree
for part in name.split("."):
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    at = next((node for node in at.body if isinstance(node, kinds) and node.name == part), None)
    if at is None:
        sys.exit(3)
signature = name
if not isinstance(at, ast.ClassDef):
    signature += f"({ast.unparse(at.args)})" + (f" -> {ast.unparse(at.returns)}" if at.returns else "")
json.dump({"signature": signature, "docstring": ast.get_docstring(at) or ""}, sys.stdout)
`;

export const readDocstring = defineTool({
  name: "read_docstring",
  title: "Read a docstring",
  description: `Returns the signature and docstring of a function or class in a Python file, without running the file. Methods are
named Class.method.`,
  input: z.object({
    file_path: z.string().min(1).describe("Relative paths are under /workspace. /tools can be read too."),
    function_name: z.string().regex(/^\w+(\.\w+)*$/u, "must be a name such as load or Table.load"),
  }),
  output: z.object({ file_path: z.string(), signature: z.string(), docstring: z.string() }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  recorded: false,
  presentation: {
    title: "Read the docstring of",
    icon: "wrench",
    open: false,
    subject: { arguments: ["function_name", "file_path"], between: " in " },
  },
  async run({ file_path, function_name }, { sandbox, signal }) {
    const command = 'exec python3 -I -c "$PARSE" "$FILE" "$NAME"';
    const env = { PARSE, FILE: file_path, NAME: function_name };
    const result = await sandbox.run(command, { env, timeoutMs: 10_000, ...(signal && { signal }) });
    if (result.exitCode === 3)
      throw new ToolProblem(`There is no function or class ${function_name} in ${file_path}.`);
    if (result.status !== "completed") {
      const reason = result.stderr.toString("utf8").trim().split("\n").at(-1) ?? result.status;
      throw new ToolProblem(`${file_path} could not be read as Python: ${reason}`);
    }
    const found = docstring.parse(JSON.parse(result.stdout.toString("utf8")));
    return { structured: { file_path, ...found }, text: `${found.signature}\n\n${found.docstring}`.trim() };
  },
});

const docstring = z.object({ signature: z.string(), docstring: z.string() });
