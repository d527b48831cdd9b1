// The tools, in the order every door shows them.
import { checkExecution } from "./check-execution.ts";
import { editFile } from "./edit-file.ts";
import { executeBash } from "./execute-bash.ts";
import { listFiles } from "./list-files.ts";
import { readDocstring } from "./read-docstring.ts";
import { readFile } from "./read-file.ts";
import { sandboxInfo } from "./sandbox-info.ts";
import { stopExecution } from "./stop-execution.ts";
import type { Tool } from "./tool.ts";
import { writeFile } from "./write-file.ts";

export const catalogue: readonly Tool[] = [
  executeBash,
  checkExecution,
  stopExecution,
  readFile,
  writeFile,
  editFile,
  listFiles,
  readDocstring,
  sandboxInfo,
];

export function findTool(name: string): Tool | undefined {
  return catalogue.find((tool) => tool.name === name);
}
