// A call from the history as the exports see it: what was done, in the few shapes that mean something outside.
import { findAnyTool } from "#mcp/tools/catalogue.ts";
import type { Step as SandboxStep } from "#mcp/tools/tool.ts";
import type { CellOutput } from "../../notebooks/write-notebook.ts";

export interface ExportedCall {
  /** When and what, for a comment above it. Never anything that came out of a sandbox. */
  about: string;
  /** In the order they happened. */
  steps: Step[];
  output: CellOutput;
}

export type Step = Exclude<SandboxStep, { kind: "program" }> | { kind: "other"; tool: string };

/** `id` is the run's: it names the file of a program that was given no name. */
export function stepsOf(id: string, name: string, given: Record<string, unknown>): Step[] {
  const tool = findAnyTool(name);
  const input = tool?.input.safeParse(given);
  const steps = input?.success ? tool?.steps?.(input.data, id) : undefined;
  return steps?.map(outside) ?? [{ kind: "other", tool: name }];
}

function outside(step: SandboxStep): Step {
  switch (step.kind) {
    case "program":
      return { kind: "bash", command: `python3 -- '${pathOutside(step.path).replaceAll("'", "'\\''")}'` };
    case "file":
      return { ...step, path: pathOutside(step.path) };
    case "bash":
      return { ...step, ...(step.cwd !== undefined && { cwd: pathOutside(step.cwd) }) };
    default:
      return step;
  }
}

/** Elsewhere there is no /workspace: what was in it is where the script is. */
function pathOutside(path: string): string {
  return path.replace(/^\/workspace(?:\/+|$)/, "") || ".";
}
