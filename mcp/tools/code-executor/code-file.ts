// Where the older server's tools keep code, and how they run it: a Python file in /workspace/code, by a fresh interpreter.
import { z } from "zod";
import { describeExecution, executionView, viewOf } from "../execution-view.ts";
import type { Outcome, ToolContext } from "../tool.ts";

export const fileName = z
  .string()
  .regex(/^[\w][\w.-]{0,99}$/, "must have letters, digits, dots, - and _ only, up to 100");

export const filePath = z.string().min(1).max(4096).describe("Relative paths are under /workspace.");

export const codeView = executionView.extend({ file_path: z.string() });

export function codePath(name: string): string {
  return `/workspace/code/${name.endsWith(".py") ? name : `${name}.py`}`;
}

export async function runFile(file_path: string, { sandbox, run }: ToolContext): Promise<Outcome> {
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
