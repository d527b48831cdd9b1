import { displayName } from "#sandbox/index.ts";
import type { ArtifactLimits } from "./limits.ts";

export type Reason = "file" | "count" | "run" | "slow" | "disk" | "full";

/** Which were left out, and why. */
export class LeftOut {
  readonly #names = new Map<Reason, string[]>();

  add(reason: Reason, name: string): void {
    this.#names.set(reason, [...(this.#names.get(reason) ?? []), name]);
  }

  describe(limits: ArtifactLimits): string[] {
    const reasons: Record<Reason, string> = {
      file: `larger than ${megabytes(limits.fileBytes)}`,
      count: `more than ${limits.runFiles} files in one run`,
      run: `more than ${megabytes(limits.runBytes)} in one run`,
      slow: "copying them took too long",
      disk: "the server's disk is almost full, ask its operator to free space",
      full: `your artifacts fill their ${megabytes(limits.userBytes)}, delete some`,
    };
    return [...this.#names].map(([reason, names]) => `${few(names)} (${reasons[reason]})`);
  }
}

/** A sentence or two about what was not kept, for whoever ran the code. What a cell showed is nowhere else. */
export function describeSkipped(
  { files, results, more }: { files: LeftOut; results: LeftOut; more: boolean },
  limits: ArtifactLimits,
): string | undefined {
  const left = files.describe(limits);
  if (more) left.push("others (too many files changed)");
  const shown = results.describe(limits);
  const sentences = [
    left.length > 0 && `Not kept as artifacts, but still in the workspace: ${left.join("; ")}.`,
    shown.length > 0 && `Shown once and not kept, save them to files: ${shown.join("; ")}.`,
  ];
  return sentences.filter(Boolean).join(" ") || undefined;
}

function few(paths: string[]): string {
  const shown = paths.slice(0, 3).map((path) => displayName(path.replace(/^\/workspace\//, "")));
  return paths.length > 3 ? `${shown.join(", ")} and ${paths.length - 3} more` : shown.join(", ");
}

function megabytes(bytes: number): string {
  return bytes >= 2 ** 30 ? `${Math.round(bytes / 2 ** 30)} GB` : `${Math.round(bytes / 2 ** 20)} MB`;
}
