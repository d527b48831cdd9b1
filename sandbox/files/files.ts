// The sandbox's files, as the user inside sees them: no link is followed, nothing but regular files is read.
import type { Readable, Writable } from "node:stream";
import { FileError } from "../errors.ts";
import { count, list, type Message, object, oneOf, text } from "../pipe/messages.ts";
import type { Pipe, UsePipe } from "../pipe/pipe.ts";
import type { FileEntry, FilePage, SandboxLimits } from "../types.ts";
import { FileReadable, type OpenedFile } from "./file-readable.ts";
import { FileWritable } from "./file-writable.ts";

export type ReadOptions = { offset?: number; length?: number; signal?: AbortSignal };
export type WriteOptions = { /** Permissions of a new file. */ mode?: number; signal?: AbortSignal };
export type WriteResult = { bytesWritten: number; size: number };

const TYPES = ["file", "directory", "symlink", "other"] as const;

export class SandboxFiles {
  #use: UsePipe;
  #limits: SandboxLimits;
  #requireRoom: (() => Promise<void>) | undefined;

  constructor(use: UsePipe, limits: SandboxLimits, requireRoom?: () => Promise<void>) {
    this.#use = use;
    this.#limits = limits;
    this.#requireRoom = requireRoom;
  }

  /** A whole file, or a part of it, in memory. Larger ones go through `openRead`. */
  read(path: string, options: ReadOptions & { maxBytes?: number } = {}): Promise<Buffer> {
    const maxBytes = options.maxBytes ?? this.#limits.maxReadBytes;
    return this.#use(async (pipe) => {
      const file = await FileReadable.open(pipe, path, options);
      const expected = Math.min(
        Math.max(0, file.size - (options.offset ?? 0)),
        options.length ?? Number.POSITIVE_INFINITY,
      );
      const parts: Buffer[] = [];
      let size = 0;
      try {
        if (expected > maxBytes) throw tooLarge(path, expected, maxBytes);
        for await (const chunk of file.stream) {
          parts.push(chunk);
          size += chunk.length;
          // It may have grown since it was opened.
          if (size > maxBytes) throw tooLarge(path, size, maxBytes);
        }
      } finally {
        file.stream.destroy();
      }
      return Buffer.concat(parts, size);
    });
  }

  /** Replaces a file in one step (readers see the old or the new one), making parent directories. */
  write(path: string, data: string | Uint8Array, options: WriteOptions = {}): Promise<WriteResult> {
    return this.#put(path, data, { ...options, append: false });
  }

  append(path: string, data: string | Uint8Array, options: WriteOptions = {}): Promise<WriteResult> {
    return this.#put(path, data, { ...options, append: true });
  }

  /** A page of a directory, in byte order of the names; hand `next` in as `after` for the following one. */
  list(path = "/workspace", options: { after?: string; limit?: number } = {}): Promise<FilePage> {
    const request = { op: "list", path, after: options.after, limit: options.limit };
    return this.#use(async (pipe) => pipe.read(await pipe.request(request, { path }), page));
  }

  stat(path: string): Promise<FileEntry> {
    return this.#use(async (pipe) => pipe.read(await pipe.request({ op: "stat", path }, { path }), entry));
  }

  /** Bytes the workspace takes up on its disk. Counted file by file, so it costs more than `info` does. */
  async usage(): Promise<number> {
    return (await this.#use((pipe) => pipe.diskUsage())).bytes;
  }

  async remove(path: string, options: { recursive?: boolean; signal?: AbortSignal } = {}): Promise<void> {
    const request = { op: "remove", path, recursive: options.recursive };
    await this.#use((pipe) => pipe.request(request, { path, signal: options.signal }));
  }

  async move(from: string, to: string, options: { overwrite?: boolean } = {}): Promise<void> {
    const request = { op: "move", from, to, overwrite: options.overwrite };
    await this.#use((pipe) => pipe.request(request, { path: from }));
  }

  /** Makes a directory and its parents; one that exists is fine. */
  async makeDirectory(path: string): Promise<void> {
    await this.#use((pipe) => pipe.request({ op: "mkdir", path }, { path }));
  }

  /** A file as a stream, read no faster than it is consumed. Destroy it if you don't read to the end. */
  openRead(path: string, options: ReadOptions = {}): Promise<OpenedFile> {
    return this.#lend(
      (pipe) => FileReadable.open(pipe, path, options),
      (file) => file.stream,
    );
  }

  /** A stream into a file that replaces the old one when it is finished; destroyed before that, it leaves nothing. */
  async openWrite(path: string, options: WriteOptions & { append?: boolean } = {}): Promise<FileWritable> {
    await this.#requireRoom?.();
    return this.#lend(
      async (pipe) => new FileWritable(pipe, path, options),
      (stream) => stream,
    );
  }

  async #put(
    path: string,
    data: string | Uint8Array,
    options: WriteOptions & { append: boolean },
  ): Promise<WriteResult> {
    await this.#requireRoom?.();
    return this.#use(async (pipe) => {
      const file = new FileWritable(pipe, path, options);
      file.end(typeof data === "string" ? Buffer.from(data) : data);
      return await file.result;
    });
  }

  /** Hands a stream out and keeps the call in flight until it is closed. */
  #lend<T>(open: (pipe: Pipe) => Promise<T>, streamOf: (opened: T) => Readable | Writable): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#use(async (pipe) => {
        const opened = await open(pipe);
        const closed = new Promise<void>((done) => streamOf(opened).once("close", done));
        resolve(opened);
        await closed;
      }).catch(reject);
    });
  }
}

function tooLarge(path: string, size: number, maxBytes: number): FileError {
  return new FileError(
    "too_large",
    path,
    `${path}: ${size} bytes are more than the ${maxBytes} that can be read at once.`,
  );
}

function page(message: Message): FilePage {
  const entries = list(message, "entries", 1000).map((value) => entry(object(value, "entry")));
  return message.next === null || message.next === undefined
    ? { entries }
    : { entries, next: text(message, "next") };
}

function entry(message: Message): FileEntry {
  const fileEntry: FileEntry = {
    name: text(message, "name", 1024),
    type: oneOf(message, "type", TYPES),
    size: count(message, "size"),
    modifiedMs: typeof message.modified_ms === "number" ? message.modified_ms : 0,
    mode: count(message, "mode"),
  };
  if (message.target !== undefined) fileEntry.target = text(message, "target");
  return fileEntry;
}
