// The tools, in the order every door shows them.
import { checkExecution } from "./check-execution.ts";
import { codeExecutor } from "./code-executor/code-executor.ts";
import { editFile } from "./edit-file.ts";
import { executeBash } from "./execute-bash.ts";
import { executePython } from "./execute-python.ts";
import { getArtifact } from "./get-artifact.ts";
import { installDependencies } from "./install-dependencies.ts";
import { listArtifacts } from "./list-artifacts.ts";
import { listFiles } from "./list-files.ts";
import { listInstalledPackages } from "./list-installed-packages.ts";
import { listSkills } from "./list-skills.ts";
import { type CallCode, codeAt, type Presentation } from "./presentation.ts";
import { readDocstring } from "./read-docstring.ts";
import { readFile } from "./read-file.ts";
import { readSkill } from "./read-skill.ts";
import { resetSession } from "./reset-session.ts";
import { runAgent } from "./run-agent.ts";
import { sandboxInfo } from "./sandbox-info.ts";
import { stopExecution } from "./stop-execution.ts";
import type { Tool } from "./tool.ts";
import { writeFile } from "./write-file.ts";

export const catalogue: readonly Tool[] = [
  executeBash,
  executePython,
  resetSession,
  checkExecution,
  stopExecution,
  readFile,
  writeFile,
  editFile,
  listFiles,
  readDocstring,
  installDependencies,
  listInstalledPackages,
  listArtifacts,
  getArtifact,
  listSkills,
  readSkill,
  runAgent,
  sandboxInfo,
];

/** Further tools for those who ask for them. */
export const TOOLSETS = { "code-executor": codeExecutor } satisfies Record<string, readonly Tool[]>;
export type Toolset = keyof typeof TOOLSETS;

export function isToolset(name: string): name is Toolset {
  return Object.hasOwn(TOOLSETS, name);
}

export function findTool(name: string, toolset?: Toolset): Tool | undefined {
  const further: readonly Tool[] = toolset ? TOOLSETS[toolset] : [];
  return catalogue.find((tool) => tool.name === name) ?? further.find((tool) => tool.name === name);
}

/** Of whatever set, for what is on record. */
export function findAnyTool(name: string): Tool | undefined {
  return findTool(name, toolsetOf(name));
}

/** All there are, those of the further sets last. */
export function everyTool(): Tool[] {
  return [...catalogue, ...Object.values(TOOLSETS).flat()];
}

/** What people see of each, for a browser. */
export function presentations(): Record<string, Presentation> {
  return Object.fromEntries(everyTool().map(({ name, presentation }) => [name, presentation]));
}

/** What was run or written by a call that is on record, as code: each tool says where it keeps it. */
export function callCode(tool: string, given: Record<string, unknown>): CallCode | undefined {
  return codeAt(findAnyTool(tool)?.presentation.code, given);
}

/** Where a name is found that isn't everybody's. */
export function toolsetOf(name: string): Toolset | undefined {
  return Object.keys(TOOLSETS)
    .filter(isToolset)
    .find((toolset) => TOOLSETS[toolset].some((tool) => tool.name === name));
}
