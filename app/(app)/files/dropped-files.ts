// What was dropped on the page: files, and folders with everything in them.

export const MOST_FILES = 5000;

interface NamedFile {
  /** With the folders it was in. */
  name: string;
  file: File;
}

export interface Dropped {
  files: NamedFile[];
  /** Sentences about what could not be taken. */
  missed: string[];
}

export async function droppedFiles(data: Pick<DataTransfer, "items" | "files">): Promise<Dropped> {
  const collection: Dropped = { files: [], missed: [] };
  // Entries have to be taken before the first await; the browser forgets them afterwards.
  const entries = [...data.items].flatMap((item) => item.webkitGetAsEntry?.() ?? []);
  if (entries.length === 0) return chosenFiles(data.files);
  for (const entry of entries) if (!(await collect(entry, "", collection))) break;
  return collection;
}

export function chosenFiles(files: Iterable<File>): Dropped {
  return { files: [...files].map((file) => ({ name: file.name, file })), missed: [] };
}

/** False once there are too many. */
async function collect(entry: FileSystemEntry, folder: string, collection: Dropped): Promise<boolean> {
  const name = folder + entry.name;
  try {
    if (entry.isFile) {
      if (collection.files.length >= MOST_FILES) {
        collection.missed.push(
          `Only the first ${MOST_FILES.toLocaleString("en")} files were taken; ${name} and what comes after it were not.`,
        );
        return false;
      }
      collection.files.push({ name, file: await fileOf(entry as FileSystemFileEntry) });
      return true;
    }
    const reader = (entry as FileSystemDirectoryEntry).createReader();
    for (;;) {
      const inside = await nextOf(reader);
      if (inside.length === 0) return true;
      for (const one of inside) if (!(await collect(one, `${name}/`, collection))) return false;
    }
  } catch {
    // It vanished meanwhile, or the browser may not read it.
    collection.missed.push(`${name} could not be read.`);
    return true;
  }
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject));
}

function nextOf(reader: FileSystemDirectoryReader): Promise<FileSystemEntry[]> {
  return new Promise((resolve, reject) => reader.readEntries(resolve, reject));
}
