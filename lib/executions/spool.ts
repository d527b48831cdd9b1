// Ends of runs on disk, one file each, for as long as the database is away. A file that has its name is whole and has reached
// the disk; its name is the execution's id, so a second end of one run takes no second place.
import { constants } from "node:fs";
import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import type { FinishedExecution } from "#db/queries/executions.ts";
import { decodeEnd, encodeEnd, UnreadableEnd } from "./spooled-end.ts";

/** There is no room for another end; nothing is kept of it. */
export class SpoolFull extends Error {
  override name = "SpoolFull";
}

const MOST_BYTES = 256 * 2 ** 20;
const MOST_BYTES_EACH = 32 * 2 ** 20;
/** Of the ends that were set aside; the oldest go first. */
const MOST_BYTES_ASIDE = 64 * 2 ** 20;
const ASIDE = ".unreadable";
const NAME = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.json$/;

export class Spool {
  readonly #folder: string;
  readonly #mostBytes: number;
  readonly #mostBytesAside: number;
  #sizes: Promise<Map<string, number>> | undefined;

  constructor(folder: string, { mostBytes = MOST_BYTES, mostBytesAside = MOST_BYTES_ASIDE } = {}) {
    this.#folder = folder;
    this.#mostBytes = mostBytes;
    this.#mostBytesAside = mostBytesAside;
  }

  /** Resolves once it would survive a power failure. A run that was cut off has a better end already, if it has one. */
  async put(id: string, end: FinishedExecution): Promise<void> {
    const content = encodeEnd(id, end);
    const sizes = await this.#known();
    if (sizes.has(id) && end.status === "interrupted") return;
    const bytes = [...sizes].reduce(
      (sum, [other, size]) => (other === id ? sum : sum + size),
      content.length,
    );
    if (bytes > this.#mostBytes || content.length > MOST_BYTES_EACH) {
      const room = `${this.#mostBytes / 2 ** 20} MB in ${this.#folder}`;
      throw new SpoolFull(`The spool of finished runs is full: it may have ${room}.`);
    }
    const before = sizes.get(id);
    sizes.set(id, content.length);
    try {
      await this.#write(this.#place(id), content);
    } catch (error) {
      if (before === undefined) sizes.delete(id);
      else sizes.set(id, before);
      throw error;
    }
  }

  /** The oldest first: ids begin with their time. */
  async list(): Promise<string[]> {
    return [...(await this.#known()).keys()].sort();
  }

  /** Rejects with `UnreadableEnd` when it is not what was written. */
  async read(id: string): Promise<FinishedExecution> {
    // What stands there is looked at, and neither followed nor waited for.
    const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
    const file = await open(this.#place(id), flags).catch((cause: NodeJS.ErrnoException) => {
      const isOther = cause.code === "ELOOP" || cause.code === "ENOENT";
      throw isOther ? new UnreadableEnd("There is no file, or a link.", { cause }) : cause;
    });
    try {
      const found = await file.stat();
      if (!found.isFile() || found.size > MOST_BYTES_EACH)
        throw new UnreadableEnd("This is no end of a run.");
      return decodeEnd(id, await file.readFile("utf8"));
    } finally {
      await file.close();
    }
  }

  async remove(id: string): Promise<void> {
    await rm(this.#place(id), { force: true });
    (await this.#known()).delete(id);
  }

  /** For whoever wants to know what was in it, as long as there is room; nobody here looks at it again. Says where it is now. */
  async setAside(id: string): Promise<string> {
    const aside = `${this.#place(id)}${ASIDE}`;
    await rename(this.#place(id), aside).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT") throw error;
    });
    (await this.#known()).delete(id);
    await this.#removeOldAside();
    return aside;
  }

  async #removeOldAside(): Promise<void> {
    const names = (await readdir(this.#folder)).filter((name) => name.endsWith(ASIDE)).sort();
    let left = this.#mostBytesAside;
    for (const name of names.reverse()) {
      const place = path.join(this.#folder, name);
      left -= (await stat(place)).size;
      if (left < 0) await rm(place, { force: true });
    }
  }

  #place(id: string): string {
    return path.join(this.#folder, `${id}.json`);
  }

  async #write(place: string, content: Buffer): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const incoming = `${place}.new`;
    try {
      const file = await open(incoming, "w", 0o600);
      try {
        await file.writeFile(content);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(incoming, place);
    } catch (error) {
      await rm(incoming, { force: true });
      throw error;
    }
    const folder = await open(this.#folder, "r");
    await folder.sync().finally(() => folder.close());
  }

  /** What is there and how large, looked at once: only this process writes here. */
  #known(): Promise<Map<string, number>> {
    this.#sizes ??= this.#look().catch((error) => {
      this.#sizes = undefined;
      throw error;
    });
    return this.#sizes;
  }

  async #look(): Promise<Map<string, number>> {
    const names = await readdir(this.#folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return [];
      throw error;
    });
    const sizes = new Map<string, number>();
    for (const name of names) {
      const id = NAME.exec(name)?.[1];
      const place = path.join(this.#folder, name);
      if (id)
        sizes.set(
          id,
          await stat(place).then(
            ({ size }) => size,
            () => 0,
          ),
        );
      // Its server was killed before it could answer with this.
      else if (name.endsWith(".json.new")) await rm(place, { force: true });
    }
    return sizes;
  }
}
