import path from "node:path";
import type { ExportedCall, Step } from "./exported-call.ts";

/** A program that does the same: cells as they were, everything else through the standard library. */
export function toPython(calls: ExportedCall[]): string {
  const parts = calls.map(({ about, steps }) => `# %% ${about}\n${steps.map(pythonOf).join("\n")}\n`);
  const imports = ["os", "subprocess", "sys"].filter((name) =>
    parts.some((part) => part.includes(`${name}.`)),
  );
  return ["#!/usr/bin/env python3", ...imports.map((name) => `import ${name}`), "", ...parts].join("\n");
}

export function pythonOf(step: Step): string {
  switch (step.kind) {
    case "python":
      return step.code.trimEnd();
    case "bash": {
      const where = step.cwd === undefined ? "" : `, cwd=${literal(step.cwd)}`;
      return `subprocess.run(["bash", "-c", ${literal(step.command)}]${where})`;
    }
    case "file": {
      const mode = step.append ? "a" : "w";
      const folder = path.posix.dirname(step.path);
      const made = folder === "." ? "" : `os.makedirs(${literal(folder)}, exist_ok=True)\n`;
      return `${made}with open(${literal(step.path)}, "${mode}", encoding="utf-8", newline="") as file:\n    file.write(${literal(step.content)})`;
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
