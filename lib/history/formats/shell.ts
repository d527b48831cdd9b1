import type { ExportedCall, Step } from "./exported-call.ts";

/** A script that does the same: commands as they were, each in a shell of its own as it was; Python through its standard input. */
export function toShell(calls: ExportedCall[]): string {
  const parts = calls.map(({ about, steps }) => `# ${about}\n${steps.map(ofStep).join("\n")}\n`);
  return ["#!/usr/bin/env bash", "", ...parts].join("\n");
}

function ofStep(step: Step): string {
  switch (step.kind) {
    case "bash": {
      const place = step.cwd === undefined ? "" : `cd ${quoted(step.cwd)} || exit\n`;
      return `(\n${place}${step.command.trimEnd()}\n)`;
    }
    case "python":
      return `python3 - ${document(step.code)}`;
    case "file":
      return `mkdir -p -- "$(dirname -- ${quoted(step.path)})"\nprintf %s ${quoted(step.content)} ${step.append ? ">>" : ">"} ${quoted(step.path)}`;
    case "packages":
      return `python3 -m pip install ${step.packages.map(quoted).join(" ")}`;
    case "other":
      return `# ${step.tool}: not something a script can repeat`;
  }
}

/** A here-document whose end can't be a line of the text. */
function document(text: string): string {
  const lines = new Set(text.split("\n"));
  let end = "END";
  while (lines.has(end)) end += "_";
  return `<<'${end}'\n${text.trimEnd()}\n${end}`;
}

function quoted(text: string): string {
  return /^[\w./=@%+,:-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
