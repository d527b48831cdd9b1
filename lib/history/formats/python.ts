import type { ExportedCall, Step } from "./exported-call.ts";

/** A program that does the same: cells as they were, everything else through the standard library. */
export function toPython(calls: ExportedCall[]): string {
  const parts = calls.map(({ about, step }) => `# %% ${about}\n${ofStep(step)}\n`);
  const imports = ["subprocess", "sys"].filter((name) => parts.some((part) => part.includes(`${name}.`)));
  return ["#!/usr/bin/env python3", ...imports.map((name) => `import ${name}`), "", ...parts].join("\n");
}

function ofStep(step: Step): string {
  switch (step.kind) {
    case "python":
      return step.code.trimEnd();
    case "bash": {
      const where = step.cwd === undefined ? "" : `, cwd=${literal(step.cwd)}`;
      return `subprocess.run(["bash", "-c", ${literal(step.command)}]${where})`;
    }
    case "file": {
      const mode = step.append ? "a" : "w";
      return `with open(${literal(step.path)}, "${mode}", encoding="utf-8", newline="") as file:\n    file.write(${literal(step.content)})`;
    }
    case "packages":
      return `subprocess.run([sys.executable, "-m", "pip", "install", ${step.packages.map(literal).join(", ")}])`;
    case "other":
      return `# ${step.tool}: not something a script can repeat`;
  }
}

/** JSON's strings are Python's, as far as what JSON.stringify writes goes. */
function literal(text: string): string {
  return JSON.stringify(text);
}
