import type { FileEntry } from "#lib/files/list-folder.ts";

export type SortKey = "name" | "size" | "modified";

export interface Order {
  by: SortKey;
  descending: boolean;
}

const collator = new Intl.Collator("en", { numeric: true });

/** Folders first, whatever the order. */
export function sortEntries(entries: readonly FileEntry[], { by, descending }: Order): FileEntry[] {
  const sign = descending ? -1 : 1;
  return [...entries].sort((a, b) => {
    const folders = Number(b.type === "directory") - Number(a.type === "directory");
    return folders || sign * compare(a, b, by) || collator.compare(a.name, b.name);
  });
}

function compare(a: FileEntry, b: FileEntry, by: SortKey): number {
  if (by === "size") return a.size - b.size;
  if (by === "modified") return a.modifiedMs - b.modifiedMs;
  return collator.compare(a.name, b.name);
}
