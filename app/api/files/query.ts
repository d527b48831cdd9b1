import { z } from "zod";
import { AppError } from "#lib/app-error.ts";
import { isWorkspacePath, pathFromText } from "#lib/files/workspace-path.ts";

/** A path in a JSON body, where lone surrogates travel as they are. */
export const workspacePath = z.string().refine(isWorkspacePath, "This is no path of the workspace.");

/** The paths in an address, written with `pathToText`. */
export function pathsOf(request: Request): [string, ...string[]] {
  const [first = "", ...more] = new URL(request.url).searchParams.getAll("path").map(pathFromText);
  if (more.length > 1000) throw new AppError("too_large", "Those are more than 1,000 paths.");
  for (const path of [first, ...more]) {
    if (!isWorkspacePath(path)) throw new AppError("bad_request", "This is no path of the workspace.");
  }
  return [first, ...more];
}

export function parameterOf(request: Request, name: string): string | undefined {
  return new URL(request.url).searchParams.get(name) ?? undefined;
}
