// Files and folders as one zip, made while it is sent: one file is open at a time and nothing is kept.
import { once } from "node:events";
import type { Readable } from "node:stream";
import { ZipFile } from "yazl";
import { isSandboxError, type SandboxFiles } from "#sandbox/index.ts";
import { log } from "../log.ts";
import { isHollow } from "./open-download.ts";
import { reachFiles } from "./reach-files.ts";
import { absolutePath, displayName, joinPath, nameOf, parentOf } from "./workspace-path.ts";

const MOST_ENTRIES = 100_000;
const DEEPEST = 100;
const LONGEST_NOTE = 2 ** 20;

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
  const leftOut = noteOfLeftOut();
  let entries = 0;
  for (const path of paths) {
    const base = parentOf(path);
    for await (const found of walk(files, path)) {
      if (given.signal.aborted) return;
      const name = base ? found.path.slice(base.length + 1) : found.path;
      entries += 1;
      if (entries > MOST_ENTRIES) {
        leftOut.add(name, `and what comes after it: more than ${MOST_ENTRIES} entries`);
        break;
      }
      if (found.unread) leftOut.add(name, found.unread);
      else if (found.type === "directory") zip.addEmptyDirectory(inArchive(name));
      else if (found.type !== "file") leftOut.add(name, "not a regular file");
      else if (isHollow(found.size)) leftOut.add(name, "larger than the workspace");
      else await addFile(found.path, name);
    }
  }
  const note = leftOut.text();
  if (note) zip.addBuffer(Buffer.from(note), inArchive("LEFT-OUT.txt"));
  zip.end();

  async function addFile(path: string, name: string): Promise<void> {
    const { signal } = given;
    const opened = await files.openRead(absolutePath(path), { signal }).catch((error) => {
      if (!isSandboxError(error)) throw error;
      leftOut.add(name, error.message);
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
  /** Why what is in this folder is missing. */
  unread?: string;
}

/** Depth first. What disappears meanwhile is simply not there. */
async function* walk(files: SandboxFiles, path: string): AsyncGenerator<Found> {
  const { type, size } = await files.stat(absolutePath(path));
  if (path) yield { path, type, size };
  if (type === "directory") yield* inside(files, path, 0);
}

async function* inside(files: SandboxFiles, path: string, depth: number): AsyncGenerator<Found> {
  const unread = (why: string): Found => ({ path: path || ".", type: "directory", size: 0, unread: why });
  if (depth > DEEPEST) return yield unread(`more than ${DEEPEST} folders deep`);
  let after: string | undefined;
  do {
    const page = await files.list(absolutePath(path), after ? { after } : {}).catch((error: unknown) => {
      if (isSandboxError(error)) return error;
      throw error;
    });
    if (page instanceof Error) return page.code === "not_found" ? undefined : yield unread(page.message);
    for (const { name, type, size } of page.entries) {
      const inner = joinPath(path, name);
      yield { path: inner, type, size };
      if (type === "directory") yield* inside(files, inner, depth + 1);
    }
    after = page.next;
  } while (after);
}

/** A line for each, as far as that is worth reading: a hostile workspace has millions. */
function noteOfLeftOut() {
  let text = "";
  let unnamed = 0;
  return {
    add(name: string, why: string) {
      if (text.length < LONGEST_NOTE) text += `${displayName(`${name}: ${why}`)}\n`;
      else unnamed += 1;
    },
    text: () => (unnamed > 0 ? `${text}and ${unnamed} more\n` : text),
  };
}

export function zipTitle(paths: string[]): string {
  const [only] = paths;
  return paths.length === 1 && only ? `${nameOf(only)}.zip` : "workspace.zip";
}

/** Names inside an archive: what any program on any system unpacks without surprises, and never the same twice. */
export function zipNames(): (path: string) => string {
  const taken = new Set<string>();
  return (path) => {
    const plain = path
      .split("/")
      .map((part) => part.replace(/[\p{Cc}\p{Cs}\\:\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, "_"))
      .join("/");
    let name = plain;
    for (let copy = 2; taken.has(name); copy += 1) name = numbered(plain, copy);
    taken.add(name);
    return name;
  };
}

function numbered(path: string, copy: number): string {
  const [, stem = path, extension = ""] = /^(.+?)(\.[^./]{1,10})?$/s.exec(path) ?? [];
  return `${stem} (${copy})${extension}`;
}
