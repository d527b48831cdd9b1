// Contents by their SHA-256: written once, streamed in and out, shared by whoever has the same bytes.
// One server owns an installation, so locks and pins within this process are enough.
import { createHash, randomUUID } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { freeBytes } from "#sandbox/disk/host-reserve.ts";

export interface PutBlob {
  sha256: Buffer;
  size: number;
  /** The first bytes, to tell what it is and to show a little of it. */
  head: Buffer;
  /** Until this is called the blob isn't swept: by then a row refers to it, or nobody ever will. */
  release(): void;
}

/** There was more than was allowed; nothing is kept. */
export class BlobTooLarge extends Error {
  override name = "BlobTooLarge";
}

/** The host's disk has no more than its reserve, which workspaces need; nothing is kept. */
export class BlobStoreFull extends Error {
  override name = "BlobStoreFull";
}

const HEAD_BYTES = 8 * 1024;
// How much is written before somebody looks again how much room is left.
const UNSEEN_BYTES = 16 * 2 ** 20;

export class BlobStore {
  readonly #folder: string;
  readonly #reserveBytes: number;
  readonly #pins = new Map<string, number>();
  readonly #locks = new Map<string, Promise<unknown>>();

  constructor(folder: string, { reserveBytes = 0 } = {}) {
    this.#folder = folder;
    this.#reserveBytes = reserveBytes;
  }

  async put(content: Readable | Buffer, { maxBytes = Number.POSITIVE_INFINITY } = {}): Promise<PutBlob> {
    const incoming = path.join(this.#folder, "incoming", randomUUID());
    await mkdir(path.dirname(incoming), { recursive: true, mode: 0o700 });
    await this.#requireRoom();
    const hash = createHash("sha256");
    let size = 0;
    let unseen = 0;
    let head = Buffer.alloc(0);
    const measure = new Transform({
      transform: (chunk: Buffer, _, done) => {
        size += chunk.length;
        unseen += chunk.length;
        if (size > maxBytes) return done(new BlobTooLarge(`more than ${maxBytes} bytes`));
        if (head.length < HEAD_BYTES)
          head = Buffer.concat([head, chunk.subarray(0, HEAD_BYTES - head.length)]);
        hash.update(chunk);
        if (unseen < UNSEEN_BYTES) return done(null, chunk);
        unseen = 0;
        this.#requireRoom().then(() => done(null, chunk), done);
      },
    });
    try {
      const source = Buffer.isBuffer(content) ? Readable.from([content], { objectMode: false }) : content;
      // Whole before it gets its name, whenever this process ends. Not flushed to disk: a run would wait for each of its files,
      // and what a power failure takes is still in the workspace.
      await pipeline(source, measure, createWriteStream(incoming, { flags: "wx", mode: 0o600 }));
      const sha256 = hash.digest();
      const key = sha256.toString("hex");
      await this.#locked(key, async () => {
        await mkdir(path.dirname(this.#place(key)), { recursive: true, mode: 0o700 });
        await rename(incoming, this.#place(key));
        this.#pins.set(key, (this.#pins.get(key) ?? 0) + 1);
      });
      return { sha256, size, head, release: once(() => this.#unpin(key)) };
    } catch (error) {
      await rm(incoming, { force: true });
      throw error;
    }
  }

  /** From `start` to `end`, both included. */
  read(sha256: Buffer, range: { start?: number; end?: number } = {}): Readable {
    return createReadStream(this.#place(sha256.toString("hex")), { ...range, highWaterMark: 64 * 1024 });
  }

  /** The same, opened: a blob that is gone is an error now, and one that is swept meanwhile is read to its end. */
  async open(sha256: Buffer, range: { start?: number; end?: number } = {}): Promise<Readable> {
    const file = await open(this.#place(sha256.toString("hex")));
    return file.createReadStream({ ...range, highWaterMark: 64 * 1024 });
  }

  async has(sha256: Buffer): Promise<boolean> {
    const found = await stat(this.#place(sha256.toString("hex"))).catch(nothing);
    return found !== undefined;
  }

  /** Removes one unless it is being put right now or `isReferenced` says it is needed. Nobody can put it meanwhile. */
  sweep(sha256: Buffer, isReferenced: () => Promise<boolean>): Promise<boolean> {
    const key = sha256.toString("hex");
    return this.#locked(key, async () => {
      if (this.#pins.has(key) || (await isReferenced())) return false;
      await rm(this.#place(key), { force: true });
      return true;
    });
  }

  /** Every blob there is, a folder of them at a time. */
  async *list(): AsyncGenerator<Buffer[]> {
    for (const folder of (await readdir(this.#folder).catch(nothing)) ?? []) {
      if (!/^[0-9a-f]{2}$/.test(folder)) continue;
      const names = (await readdir(path.join(this.#folder, folder)).catch(nothing)) ?? [];
      yield names.filter((name) => /^[0-9a-f]{64}$/.test(name)).map((name) => Buffer.from(name, "hex"));
    }
  }

  /** What a server that died was writing. Only before anything is put. */
  async clearIncoming(): Promise<void> {
    await rm(path.join(this.#folder, "incoming"), { recursive: true, force: true });
  }

  async #requireRoom(): Promise<void> {
    if (this.#reserveBytes === 0 || (await freeBytes(this.#folder)) >= this.#reserveBytes) return;
    throw new BlobStoreFull("the host's disk has no more than its reserve");
  }

  #place(key: string): string {
    return path.join(this.#folder, key.slice(0, 2), key);
  }

  #unpin(key: string): void {
    const left = (this.#pins.get(key) ?? 1) - 1;
    if (left > 0) this.#pins.set(key, left);
    else this.#pins.delete(key);
  }

  /** One at a time for each blob. */
  async #locked<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#locks.get(key) ?? Promise.resolve();
    const turn = before.then(work, work);
    const settled = turn.catch(nothing);
    this.#locks.set(key, settled);
    try {
      return await turn;
    } finally {
      if (this.#locks.get(key) === settled) this.#locks.delete(key);
    }
  }
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
