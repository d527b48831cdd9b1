// A skill as a zip: its folder, packed. What is uploaded is anybody's file, so nothing in it is believed: not its sizes,
// names or kinds.
import { buffer } from "node:stream/consumers";
import { type Entry, fromBufferPromise, type ZipFile } from "yauzl";
import { ZipFile as ZipWriter } from "yazl";
import { AppError } from "../app-error.ts";
import { readFrontMatter } from "./front-matter.ts";
import { isInside, MOST_BYTES, MOST_FILES, type SkillFolder } from "./skill-folder.ts";
import { isSkillName, NAME_RULE } from "./skill-name.ts";

export interface NewFile {
  data: Buffer;
  executable: boolean;
}

export interface UnpackedSkill {
  name: string;
  files: Map<string, NewFile>;
}

const KIND = 0o170_000;
const REGULAR = 0o100_000;
const DIRECTORY = 0o040_000;

export async function unpackSkill(zip: Buffer): Promise<UnpackedSkill> {
  if (zip.length > MOST_BYTES) throw new AppError("too_large", "A skill is at most 10 MB.");
  const files = await unpack(zip).catch((error) => {
    if (error instanceof AppError) throw error;
    throw new AppError("bad_request", `This is not a zip that can be read: ${sentence(error)}`, {
      cause: error,
    });
  });
  return rooted(files);
}

export async function packSkill(name: string, folder: SkillFolder): Promise<Buffer> {
  const files = (await folder.list()).filter(({ regular }) => regular);
  const size = files.reduce((sum, file) => sum + file.size, 0);
  if (files.length > MOST_FILES || size > MOST_BYTES)
    throw new AppError("too_large", "This skill is too large to pack.");
  const zip = new ZipWriter();
  for (const { path, executable } of files) {
    const data = await folder.read(path, MOST_BYTES);
    zip.addBuffer(data, `${name}/${path}`, { mode: executable ? 0o100_755 : 0o100_644 });
  }
  zip.end();
  return buffer(zip.outputStream);
}

async function unpack(zip: Buffer): Promise<Map<string, NewFile>> {
  const archive = await fromBufferPromise(zip, { lazyEntries: true, strictFileNames: true });
  const files = new Map<string, NewFile>();
  let bytes = 0;
  for await (const entry of entriesOf(archive)) {
    const name = entry.fileName;
    if (/(^|\/)(__MACOSX|\.DS_Store|__pycache__|\.git)(\/|$)/.test(name)) continue;
    const kind = (entry.externalFileAttributes >>> 16) & KIND;
    if (name.endsWith("/") || kind === DIRECTORY) continue;
    if (kind !== 0 && kind !== REGULAR)
      throw new AppError("bad_request", `${shown(name)} is a link or a device, which a skill can't have.`);
    if (!isInside(name))
      throw new AppError("bad_request", `${shown(name)} is not a name that a skill's file can have.`);
    if (files.has(name)) throw new AppError("bad_request", `${shown(name)} is in the zip twice.`);
    if (files.size >= MOST_FILES) throw new AppError("too_large", `A skill has at most ${MOST_FILES} files.`);
    const data = await contentsOf(archive, entry, MOST_BYTES - bytes);
    bytes += data.length;
    files.set(name, { data, executable: ((entry.externalFileAttributes >>> 16) & 0o100) !== 0 });
  }
  return files;
}

async function* entriesOf(archive: ZipFile): AsyncGenerator<Entry> {
  const ended = Symbol("end");
  for (;;) {
    const next = await new Promise<Entry | typeof ended>((resolve, reject) => {
      archive
        .removeAllListeners()
        .once("entry", resolve)
        .once("end", () => resolve(ended))
        .once("error", reject);
      archive.readEntry();
    });
    if (next === ended) return;
    yield next as Entry;
  }
}

/** Counts what really comes out, whatever the zip says about it. */
async function contentsOf(archive: ZipFile, entry: Entry, room: number): Promise<Buffer> {
  if (entry.isEncrypted()) throw new AppError("bad_request", "The zip is encrypted.");
  if (entry.uncompressedSize > room) throw new AppError("too_large", "A skill is at most 10 MB, unpacked.");
  const stream = await archive.openReadStreamPromise(entry);
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of stream) {
    size += part.length;
    if (size > room) throw new AppError("too_large", "A skill is at most 10 MB, unpacked.");
    parts.push(part as Buffer);
  }
  return Buffer.concat(parts, size);
}

/** The skill may be packed with its folder or without. */
function rooted(files: Map<string, NewFile>): UnpackedSkill {
  const place = [...files.keys()].filter((name) => /^([^/]+\/)?skill\.md$/i.test(name)).sort(byDepth)[0];
  if (place === undefined)
    throw new AppError("bad_request", "There is no SKILL.md in the zip, nor in a folder on top of it.");
  const folder = place.includes("/") ? place.slice(0, place.indexOf("/") + 1) : "";
  const inside = [...files].filter(([name]) => name.startsWith(folder));
  if (inside.length < files.size)
    throw new AppError("bad_request", "The zip holds more than one folder. Pack one skill.");
  const name = folder ? folder.slice(0, -1) : nameIn(files.get(place)?.data);
  if (!isSkillName(name))
    throw new AppError("bad_request", `“${shown(name)}” can't be its name. ${NAME_RULE}.`);
  return { name, files: new Map(inside.map(([path, file]) => [path.slice(folder.length), file])) };
}

function nameIn(skillMd: Buffer | undefined): string {
  try {
    return String(readFrontMatter(skillMd?.toString("utf8") ?? "").fields.get("name") ?? "");
  } catch (error) {
    throw new AppError("bad_request", sentence(error), { cause: error });
  }
}

function byDepth(a: string, b: string): number {
  return a.split("/").length - b.split("/").length;
}

function shown(name: string): string {
  return name
    .toWellFormed()
    .replace(/\p{Cc}/gu, "�")
    .slice(0, 100);
}

function sentence(error: unknown): string {
  const said = error instanceof Error ? error.message : String(error);
  return /[.!?]$/.test(said) ? said : `${said}.`;
}
