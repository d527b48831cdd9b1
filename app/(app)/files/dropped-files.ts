// What was dropped on the page: files, and folders with everything in them.

const MOST_FILES = 5000;

export interface NamedFile {
  /** With the folders it was in. */
  name: string;
  file: File;
}

export async function droppedFiles(data: DataTransfer): Promise<NamedFile[]> {
  const found: NamedFile[] = [];
  // Entries have to be taken before the first await; the browser forgets them afterwards.
  const entries = [...data.items].map((item) => item.webkitGetAsEntry?.()).filter((entry) => entry !== null);
  if (entries.length === 0) return [...data.files].map((file) => ({ name: file.name, file }));
  for (const entry of entries) if (entry) await collect(entry, "", found);
  return found;
}

async function collect(entry: FileSystemEntry, folder: string, found: NamedFile[]): Promise<void> {
  if (found.length >= MOST_FILES) return;
  const name = folder + entry.name;
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) =>
      (entry as FileSystemFileEntry).file(resolve, reject),
    );
    found.push({ name, file });
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  for (;;) {
    const inside = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (inside.length === 0) return;
    for (const one of inside) await collect(one, `${name}/`, found);
  }
}
