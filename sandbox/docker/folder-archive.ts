// A folder of the host as a tar stream that looks the same whoever owns it here: plain files and
// directories, owned by root, readable by all. Links and caches stay behind.

import { createHash } from "node:crypto";
import type { Dirent } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pack } from "tar-stream";
import type { Folders } from "../engine/engine.ts";

type Entry = {
  name: string;
  path: string;
  directory: boolean;
  executable: boolean;
  size: number;
  mtime: Date;
};

/** Changes whenever a file is added, removed, renamed or written. */
export async function fingerprint(folders: Folders): Promise<string> {
  const hash = createHash("sha256");
  for await (const { name, directory, executable, size, mtime } of entries(folders)) {
    hash.update(JSON.stringify(directory ? [name] : [name, executable, size, mtime.getTime()]));
  }
  return hash.digest("hex");
}

export function archive(folders: Folders): Readable {
  const tar = pack();
  fill(tar, folders).then(
    () => tar.finalize(),
    (error) => tar.destroy(error),
  );
  return Readable.from(tar);
}

async function fill(tar: ReturnType<typeof pack>, folders: Folders): Promise<void> {
  for await (const { name, path, directory, executable, mtime } of entries(folders)) {
    const header = { name, mtime, uid: 0, gid: 0, mode: directory || executable ? 0o755 : 0o644 };
    if (directory) tar.entry({ ...header, type: "directory" });
    else await addFile(tar, header, await readFile(path));
  }
}

/** Resolves once the reader has taken the file, so that one file at a time is in memory. */
function addFile(tar: ReturnType<typeof pack>, header: Parameters<typeof tar.entry>[0], data: Buffer) {
  return new Promise<void>((resolve, reject) => {
    tar.entry(header, data, (error) => (error ? reject(error) : resolve()));
  });
}

async function* entries(folders: Folders): AsyncGenerator<Entry> {
  for (const name of Object.keys(folders).sort()) yield* walk(name, [folders[name] ?? []].flat());
}

async function* walk(name: string, paths: readonly string[]): AsyncGenerator<Entry> {
  yield { name, path: paths[0] ?? "", directory: true, executable: true, size: 0, mtime: new Date(0) };
  const children = new Map<string, { entry: Dirent; path: string }>();
  for (const path of paths) {
    for (const entry of await readdir(path, { withFileTypes: true }).catch(emptyIfMissing)) {
      children.set(entry.name, { entry, path: join(path, entry.name) });
    }
  }
  for (const [child, { entry, path }] of [...children].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (leftBehind.has(child)) continue;
    const at = { name: `${name}/${child}`, path };
    if (entry.isDirectory()) yield* walk(at.name, [at.path]);
    if (!entry.isFile()) continue;
    const { size, mode, mtime } = await stat(at.path);
    yield { ...at, directory: false, executable: (mode & 0o100) !== 0, size, mtime };
  }
}

const leftBehind = new Set([".git", ".DS_Store", "__pycache__"]);

function emptyIfMissing(error: NodeJS.ErrnoException): [] {
  if (error.code === "ENOENT") return [];
  throw error;
}
