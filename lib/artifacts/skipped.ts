import { displayName } from "#sandbox/index.ts";
import type { ArtifactLimits } from "./limits.ts";

type Reason = "file" | "count" | "run" | "slow" | "full";

/** A sentence or two about what was not kept, for whoever ran the code. */
export function describeSkipped(
  skipped: Record<Reason, string[]>,
  more: boolean,
  limits: ArtifactLimits,
): string | undefined {
  const reasons: Record<Reason, string> = {
    file: `larger than ${megabytes(limits.fileBytes)}`,
    count: `more than ${limits.runFiles} files in one run`,
    run: `more than ${megabytes(limits.runBytes)} in one run`,
    slow: "copying them took too long",
    full: `your artifacts fill their ${megabytes(limits.userBytes)}, delete some`,
  };
  const parts = (Object.keys(reasons) as Reason[])
    .filter((reason) => skipped[reason].length > 0)
    .map((reason) => `${names(skipped[reason])} (${reasons[reason]})`);
  if (more) parts.push(`others (too many files changed)`);
  if (parts.length === 0) return undefined;
  return `Not kept as artifacts, but still in the workspace: ${parts.join("; ")}.`;
}

function names(paths: string[]): string {
  const shown = paths.slice(0, 3).map((path) => displayName(path.replace(/^\/workspace\//, "")));
  return paths.length > 3 ? `${shown.join(", ")} and ${paths.length - 3} more` : shown.join(", ");
}

function megabytes(bytes: number): string {
  return bytes >= 2 ** 30 ? `${Math.round(bytes / 2 ** 30)} GB` : `${Math.round(bytes / 2 ** 20)} MB`;
}
