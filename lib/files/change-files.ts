// What a person does to files as a whole. Each is one line of the history.
import { AppError } from "../app-error.ts";
import { nameTaken, runChange } from "./run-change.ts";
import { absolutePath } from "./workspace-path.ts";

export async function makeFolder(userId: string, path: string): Promise<void> {
  const change = { userId, name: "make_folder", arguments: { path: absolutePath(path) } } as const;
  await runChange(change, async (files) => {
    if (await exists(files, path)) throw nameTaken();
    await files.makeDirectory(absolutePath(path));
    return { structured: {}, text: "Made the folder." };
  });
}

/** Renames, too. What is at the target stays: it is never replaced without being named. */
export async function moveFile(userId: string, { from, to }: { from: string; to: string }): Promise<void> {
  if (to === from) return;
  if (!from || !to) throw new AppError("bad_request", "The workspace itself can't be moved.");
  if (to.startsWith(`${from}/`)) throw new AppError("bad_request", "A folder can't be moved into itself.");
  const given = { from: absolutePath(from), to: absolutePath(to) };
  await runChange({ userId, name: "move_file", arguments: given }, async (files) => {
    await files.move(given.from, given.to).catch((error) => {
      if (error.code !== "exists") throw error;
      throw nameTaken(error);
    });
    return { structured: {}, text: "Moved." };
  });
}

/** Folders go with everything in them. What is gone already is no problem. */
export async function deleteFiles(userId: string, paths: string[]): Promise<void> {
  if (paths.includes("")) throw new AppError("bad_request", "The workspace itself can't be deleted.");
  const given = { paths: paths.map(absolutePath) };
  await runChange({ userId, name: "delete_files", arguments: given }, async (files) => {
    for (const path of given.paths) {
      await files.remove(path, { recursive: true }).catch(unlessGone);
    }
    return { structured: {}, text: `Deleted ${paths.length === 1 ? "it" : `${paths.length} entries`}.` };
  });
}

async function exists(files: { stat(path: string): Promise<unknown> }, path: string): Promise<boolean> {
  return (await files.stat(absolutePath(path)).catch(unlessGone)) !== undefined;
}

function unlessGone(error: { code?: string }): undefined {
  if (error.code !== "not_found") throw error;
}
