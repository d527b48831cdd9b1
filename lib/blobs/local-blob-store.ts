// Blobs in a folder of this machine. One server owns an installation and thereby the folder, so locks and pins within this
// process are enough; a store that several servers share needs others.
import { createHash, randomUUID } from "node:crypto";
import type { BigIntStats } from "node:fs";
import { type FileHandle, mkdir, open, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Readable } from "node:stream";
import { freeBytes, queuePerKey } from "#sandbox/index.ts";
import { BlobError, type BlobStore, type PutBlob } from "./blob-store.ts";

const HEAD_BYTES = 8 * 1024;
const SMALL_BYTES = 256 * 1024;
// How much is written before somebody looks again how much room is left.
const UNSEEN_BYTES = 16 * 2 ** 20;
const MOST_CHECKED = 10_000;

export class LocalBlobStore implements BlobStore {
  readonly #folder: string;
  readonly #reserveBytes: number;
  readonly #pins = new Map<string, number>();
  /** One at a time for each blob. */
  readonly #inOrder = queuePerKey();
  /** Which file was found to hold what its name says, so that it is read through once and not at every request. */
  readonly #checked = new Map<string, string>();

  constructor(folder: string, { reserveBytes = 0 } = {}) {
    this.#folder = folder;
    this.#reserveBytes = reserveBytes;
  }

  async put(content: Readable | Buffer, { maxBytes = Number.POSITIVE_INFINITY } = {}): Promise<PutBlob> {
    await this.#requireRoom();
    const incoming = path.join(this.#folder, "incoming", randomUUID());
    try {
      const { hash, size, head } = await this.#receive(
        Buffer.isBuffer(content) ? [content] : content,
        incoming,
        maxBytes,
      );
      const sha256 = hash.digest();
      const key = sha256.toString("hex");
      await this.#inOrder(key, async () => {
        await inFolder(this.#place(key), (place) => rename(incoming, place));
        this.#pins.set(key, (this.#pins.get(key) ?? 0) + 1);
        this.#remember(key, await stat(this.#place(key), { bigint: true }));
      });
      return { sha256, size, head, release: once(() => this.#unpin(key)) };
    } catch (error) {
      await rm(incoming, { force: true });
      throw error;
    }
  }

  /**
   * Whole before it gets its name, whenever this process ends. Not flushed to disk: a run would wait for each of its files,
   * and what a power failure takes is still in the workspace.
   */
  async #receive(content: AsyncIterable<Buffer> | Iterable<Buffer>, incoming: string, maxBytes: number) {
    const hash = createHash("sha256");
    const first: Buffer[] = [];
    let [size, unseen, head] = [0, 0, Buffer.alloc(0)];
    let file: FileHandle | undefined;
    try {
      for await (const chunk of content) {
        size += chunk.length;
        unseen += chunk.length;
        if (size > maxBytes) throw new BlobError("too_large", `more than ${maxBytes} bytes`);
        hash.update(chunk);
        if (head.length < HEAD_BYTES)
          head = Buffer.concat([head, chunk.subarray(0, HEAD_BYTES - head.length)]);
        if (size <= SMALL_BYTES) {
          first.push(chunk);
          continue;
        }
        if (unseen >= UNSEEN_BYTES) {
          unseen = 0;
          await this.#requireRoom();
        }
        // What is small is written at once, and most of it is.
        if (!file) {
          file = await inFolder(incoming, (place) => open(place, "wx", 0o600));
          await file.writeFile(Buffer.concat(first));
        }
        await file.writeFile(chunk);
      }
      const whole = { flag: "wx", mode: 0o600 };
      if (!file) await inFolder(incoming, (place) => writeFile(place, Buffer.concat(first), whole));
      return { hash, size, head };
    } finally {
      await file?.close();
    }
  }

  async open(sha256: Buffer, range: { start?: number; end?: number } = {}): Promise<Readable> {
    const key = sha256.toString("hex");
    const file = await open(this.#place(key)).catch((cause) => {
      throw cause.code === "ENOENT" ? new BlobError("lost", `the blob ${key} is gone`, { cause }) : cause;
    });
    try {
      await this.#check(key, file);
      return file.createReadStream({ ...range, highWaterMark: 64 * 1024 });
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  async #check(key: string, file: FileHandle): Promise<void> {
    const found = await file.stat({ bigint: true });
    if (this.#checked.get(key) === fingerprint(found)) return;
    const hash = createHash("sha256");
    for await (const chunk of file.createReadStream({ start: 0, autoClose: false })) hash.update(chunk);
    if (hash.digest("hex") !== key) throw new BlobError("lost", `the blob ${key} holds other bytes`);
    this.#remember(key, found);
  }

  #remember(key: string, file: BigIntStats): void {
    this.#checked.delete(key);
    this.#checked.set(key, fingerprint(file));
    const [oldest] = this.#checked.keys();
    if (this.#checked.size > MOST_CHECKED && oldest) this.#checked.delete(oldest);
  }

  async has(sha256: Buffer, size?: number): Promise<boolean> {
    const found = await stat(this.#place(sha256.toString("hex"))).catch(nothing);
    return found !== undefined && (size === undefined || found.size === size);
  }

  sweep(sha256: Buffer, isReferenced: () => Promise<boolean>): Promise<boolean> {
    const key = sha256.toString("hex");
    return this.#inOrder(key, async () => {
      if (this.#pins.has(key) || (await isReferenced())) return false;
      await rm(this.#place(key), { force: true });
      return true;
    });
  }

  /** A folder of them at a time. */
  async *list(): AsyncGenerator<Buffer[]> {
    for (const folder of (await readdir(this.#folder).catch(nothing)) ?? []) {
      if (!/^[0-9a-f]{2}$/.test(folder)) continue;
      const names = (await readdir(path.join(this.#folder, folder)).catch(nothing)) ?? [];
      yield names.filter((name) => /^[0-9a-f]{64}$/.test(name)).map((name) => Buffer.from(name, "hex"));
    }
  }

  async clearIncoming(): Promise<void> {
    await rm(path.join(this.#folder, "incoming"), { recursive: true, force: true });
  }

  async #requireRoom(): Promise<void> {
    if (this.#reserveBytes === 0) return;
    const free = await inFolder(path.join(this.#folder, "incoming"), () => freeBytes(this.#folder));
    if (free >= this.#reserveBytes) return;
    throw new BlobError("disk_full", "the host's disk has no more than its reserve");
  }

  #place(key: string): string {
    return path.join(this.#folder, key.slice(0, 2), key);
  }

  #unpin(key: string): void {
    const left = (this.#pins.get(key) ?? 1) - 1;
    if (left > 0) this.#pins.set(key, left);
    else this.#pins.delete(key);
  }
}

/** Makes the folder where there is none yet, which is hardly ever. */
async function inFolder<T>(file: string, work: (file: string) => Promise<T>): Promise<T> {
  try {
    return await work(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    return work(file);
  }
}

/** Other contents have another time of change, or are another file. */
function fingerprint({ ino, size, ctimeNs }: BigIntStats): string {
  return `${ino} ${size} ${ctimeNs}`;
}

function once(action: () => void): () => void {
  let done = false;
  return () => {
    if (!done) action();
    done = true;
  };
}

function nothing(): undefined {
  return undefined;
}
