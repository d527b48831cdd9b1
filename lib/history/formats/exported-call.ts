// A call from the history as the exports see it: what was done, in the few shapes that mean something outside.
import { codePath } from "#mcp/tools/code-executor/code-file.ts";
import { type CallCode, callCode } from "../../executions/call-code.ts";
import type { CellOutput } from "../../notebooks/write-notebook.ts";

export interface ExportedCall {
  /** When and what, for a comment above it. Never anything that came out of a sandbox. */
  about: string;
  /** In the order they happened. */
  steps: Step[];
  output: CellOutput;
}

export type Step =
  | { kind: "python"; code: string }
  | { kind: "bash"; command: string; cwd?: string }
  | { kind: "file"; path: string; content: string; append: boolean }
  | { kind: "packages"; packages: string[] }
  | { kind: "other"; tool: string };

/** `id` is the run's: it names the file of a program that was given no name. */
export function stepsOf(id: string, tool: string, given: Record<string, unknown>): Step[] {
  const found = callCode(tool, given);
  if (found) return ofCode(id, tool, found);
  const { file_path, packages } = given;
  if (tool === "execute_code_file" && typeof file_path === "string") return [runFile(file_path)];
  if (tool === "install_dependencies" && Array.isArray(packages)) {
    return [{ kind: "packages", packages: packages.map(String) }];
  }
  return [{ kind: "other", tool }];
}

function ofCode(id: string, tool: string, { code, language, path, rest }: CallCode): Step[] {
  const write = (to: string): Step => ({
    ...{ kind: "file", path: outside(to), content: code },
    append: tool === "append_to_code_file" || rest.append === true,
  });
  if (tool === "execute_code") {
    const file = codePath(typeof rest.filename === "string" ? rest.filename : `code-${id}`);
    return [write(file), runFile(file)];
  }
  if (path !== undefined) return [write(tool === "initialize_code_file" ? codePath(path) : path)];
  if (language === "python") return [{ kind: "python", code }];
  return [{ kind: "bash", command: code, ...(typeof rest.cwd === "string" && { cwd: outside(rest.cwd) }) }];
}

function runFile(path: string): Step {
  return { kind: "bash", command: `python3 -- '${outside(path).replaceAll("'", "'\\''")}'` };
}

/** Elsewhere there is no /workspace: what was in it is where the script is. */
function outside(path: string): string {
  return path.replace(/^\/workspace(?:\/+|$)/, "") || ".";
}
