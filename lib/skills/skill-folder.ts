// A skill's files, wherever they are: in a folder of the host or in somebody's workspace. Links are never followed.
import { constants } from "node:fs";
import { lstat, open, readdir } from "node:fs/promises";
import path from "node:path";
import type { Sandbox } from "#sandbox/index.ts";
import { AppError } from "../app-error.ts";

export interface SkillFolder {
  list(): Promise<SkillFile[]>;
  /** The path is relative and was checked with `isInside`. */
  read(file: string, maxBytes: number): Promise<Buffer>;
}

export interface SkillFile {
  path: string;
  size: number;
  /** Links and devices are there, but no part of the skill. */
  regular: boolean;
  executable: boolean;
}

export const MOST_FILES = 500;
export const MOST_BYTES = 10 * 2 ** 20;
const DEEPEST = 8;

/** Whether a path names something below a folder, by its letters alone. */
export function isInside(file: string): boolean {
  const parts = file.split("/");
  return (
    file.length <= 512 &&
    !/[\0\\\p{Cc}]/u.test(file) &&
    parts.length <= DEEPEST &&
    parts.every((part) => part !== "" && part !== "." && part !== "..")
  );
}

export function hostFolder(folder: string): SkillFolder {
  return {
    list: () =>
      walk(async (below) => {
        const entries = await readdir(path.join(folder, below), { withFileTypes: true });
        return Promise.all(
          entries.map(async (entry) => {
            const { size, mode } = await lstat(path.join(folder, below, entry.name));
            return { name: entry.name, directory: entry.isDirectory(), regular: entry.isFile(), size, mode };
          }),
        );
      }),
    async read(file, maxBytes) {
      const at = path.join(folder, file);
      const opened = await openPlain(folder, at).catch((error) => {
        throw new AppError("not_found", `The skill has no file ${file}.`, { cause: error });
      });
      try {
        const { size } = await opened.stat();
        if (size > maxBytes) throw tooLarge(file, maxBytes);
        return await opened.readFile();
      } finally {
        await opened.close();
      }
    },
  };
}

export function sandboxFolder(sandbox: Sandbox, folder: string): SkillFolder {
  return {
    list: () =>
      walk(async (below) => {
        const { entries } = await sandbox.files.list(below ? `${folder}/${below}` : folder, {
          limit: MOST_FILES + 1,
        });
        return entries.map(({ name, type, size, mode }) => ({
          name,
          size,
          mode,
          directory: type === "directory",
          regular: type === "file",
        }));
      }),
    read: (file, maxBytes) => sandbox.files.read(`${folder}/${file}`, { maxBytes }),
  };
}

interface Child {
  name: string;
  directory: boolean;
  regular: boolean;
  size: number;
  mode: number;
}

/** Every file in a fixed order, as far as a skill may go. */
async function walk(children: (below: string) => Promise<Child[]>, below = "", files: SkillFile[] = []) {
  const sorted = (await children(below)).sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const { name, directory, regular, size, mode } of sorted) {
    if (files.length > MOST_FILES) return files;
    const file = below ? `${below}/${name}` : name;
    if (name === "__pycache__" || name === ".DS_Store" || name === ".git") continue;
    if (!isInside(file)) files.push({ path: file.toWellFormed(), size, regular: false, executable: false });
    else if (directory) await walk(children, file, files);
    else files.push({ path: file, size, regular, executable: (mode & 0o100) !== 0 });
  }
  return files;
}

/** A folder on the way that is a link leads elsewhere, so each is looked at. */
async function openPlain(folder: string, at: string) {
  for (let parent = path.dirname(at); parent.length > folder.length; parent = path.dirname(parent)) {
    if (!(await lstat(parent)).isDirectory()) throw new Error(`${parent} is not a folder.`);
  }
  const opened = await open(at, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  if ((await opened.stat()).isFile()) return opened;
  await opened.close();
  throw new Error(`${at} is not a regular file.`);
}

function tooLarge(file: string, maxBytes: number): AppError {
  return new AppError("too_large", `${file} is larger than ${Math.round(maxBytes / 1024)} kB.`);
}
