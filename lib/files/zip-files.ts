// Files and folders as one zip, made while it is sent: one file is open at a time and nothing is kept.
import { once } from "node:events";
import type { Readable } from "node:stream";
import { ZipFile } from "yazl";
import { isSandboxError, type SandboxFiles } from "#sandbox/index.ts";
import { log } from "../log.ts";
import { isHollow } from "./open-download.ts";
import { reachFiles } from "./reach-files.ts";
import { absolutePath, displayName, joinPath, nameOf, parentOf } from "./workspace-path.ts";
import { zipNames } from "./zip-name.ts";

const MOST_ENTRIES = 100_000;
const DEEPEST = 100;

/** Links, pipes and what can't be read are left out; a note in the archive names them. */
export async function zipFiles(userId: string, paths: string[]): Promise<Readable> {
  const files = await reachFiles(userId, async (sandbox) => {
    // Whether they are there at all is known before the first byte is sent.
    for (const path of paths) await sandbox.files.stat(absolutePath(path));
    return sandbox.files;
  });
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  zip.on("error", (error) => output.destroy(error));
  void pack(files, paths, zip, output).catch((error) => {
    if (!output.destroyed) log().warn({ err: error }, "a zip could not be finished");
    output.destroy(error);
  });
  return output;
}

async function pack(files: SandboxFiles, paths: string[], zip: ZipFile, output: Readable): Promise<void> {
  const given = new AbortController();
  output.once("close", () => given.abort());
  const inArchive = zipNames();
  const leftOut: string[] = [];
  let entries = 0;
  for (const path of paths) {
    const base = parentOf(path);
    for await (const found of walk(files, path)) {
      if (given.signal.aborted) return;
      const name = base ? found.path.slice(base.length + 1) : found.path;
      entries += 1;
      if (entries > MOST_ENTRIES) leftOut.push(`${name}: more than ${MOST_ENTRIES} entries`);
      else if (found.type === "directory") zip.addEmptyDirectory(inArchive(name));
      else if (found.type !== "file") leftOut.push(`${name}: not a regular file`);
      else if (isHollow(found.size)) leftOut.push(`${name}: larger than the workspace`);
      else await addFile(found.path, name);
      if (entries > MOST_ENTRIES) break;
    }
  }
  const note = leftOut.map((line) => `${displayName(line)}\n`).join("");
  if (note) zip.addBuffer(Buffer.from(note), inArchive("LEFT-OUT.txt"));
  zip.end();

  async function addFile(path: string, name: string): Promise<void> {
    const { signal } = given;
    const opened = await files.openRead(absolutePath(path), { signal }).catch((error) => {
      if (!isSandboxError(error)) throw error;
      leftOut.push(`${name}: ${error.message}`);
    });
    if (!opened) return;
    const { stream, modifiedMs } = opened;
    const closed = once(stream, "close");
    zip.addReadStream(stream, inArchive(name), { mtime: new Date(modifiedMs), compressionLevel: 3 });
    await closed;
  }
}

interface Found {
  path: string;
  type: string;
  size: number;
}

/** Depth first. What disappears meanwhile is simply not there. */
async function* walk(files: SandboxFiles, path: string, depth = 0): AsyncGenerator<Found> {
  const { type, size } = await files.stat(absolutePath(path));
  if (path) yield { path, type, size };
  if (type === "directory" && depth < DEEPEST) yield* inside(files, path, depth);
}

async function* inside(files: SandboxFiles, folder: string, depth: number): AsyncGenerator<Found> {
  let after: string | undefined;
  do {
    const page = await files.list(absolutePath(folder), after ? { after } : {}).catch((error) => {
      if (isSandboxError(error)) return { entries: [], next: undefined };
      throw error;
    });
    for (const { name, type, size } of page.entries) {
      const path = joinPath(folder, name);
      yield { path, type, size };
      if (type === "directory" && depth < DEEPEST) yield* inside(files, path, depth + 1);
    }
    after = page.next;
  } while (after);
}

export function zipTitle(paths: string[]): string {
  const [only] = paths;
  return paths.length === 1 && only ? `${nameOf(only)}.zip` : "workspace.zip";
}
