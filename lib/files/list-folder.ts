import type { FileEntry } from "#sandbox/index.ts";
import { reachFiles } from "./reach-files.ts";
import { absolutePath } from "./workspace-path.ts";

export type { FileEntry };

export interface Listing {
  entries: FileEntry[];
  /** The name to go on after; missing on the last page. */
  next?: string;
}

/** A page of a folder in byte order of the names, however many there are. */
export function listFolder(
  userId: string,
  { path, after }: { path: string; after?: string },
): Promise<Listing> {
  return reachFiles(userId, (sandbox) => sandbox.files.list(absolutePath(path), after ? { after } : {}));
}
