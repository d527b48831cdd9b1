// A file of the sandbox as a Node stream: the daemon reads on only as credit comes back from whoever consumes it.
import { Readable } from "node:stream";
import type { SandboxError } from "../errors.ts";
import { ByteQueue } from "../pipe/byte-queue.ts";
import { count, type Message, object, violation } from "../pipe/messages.ts";
import type { Pipe } from "../pipe/pipe.ts";
import type { PipeStream } from "../pipe/pipe-stream.ts";
import { readRefusal } from "../pipe/read-refusal.ts";
import type { ReadOptions } from "./sandbox-files.ts";

export type OpenedFile = { stream: Readable; size: number; modifiedMs: number };

const BODY = 1;

export class FileReadable extends Readable {
  #call: PipeStream;
  #path: string;
  #waiting = new ByteQueue();
  #wanted = false;
  #ended = false;
  #opened: ((file: OpenedFile) => void) | undefined;

  /** Resolves when the daemon has opened the file; rejects if it won't. */
  static open(pipe: Pipe, path: string, options: ReadOptions): Promise<OpenedFile> {
    return new Promise((resolve, reject) => {
      const stream = new FileReadable(pipe, path, options, (file) => {
        stream.off("error", reject);
        resolve(file);
      });
      stream.once("error", reject);
    });
  }

  constructor(pipe: Pipe, path: string, options: ReadOptions, opened: (file: OpenedFile) => void) {
    // One that is given up before it begins would open a file that nobody closes.
    options.signal?.throwIfAborted();
    // What can't be handed on at once waits in our queue rather than in the stream's, which keeps pieces as they come.
    super({ highWaterMark: 1, signal: options.signal });
    this.#path = path;
    this.#opened = opened;
    const { offset, length } = options;
    this.#call = pipe.open(
      { op: "read", path, offset, length },
      {
        onReply: (message, final) => this.#reply(message, final),
        onData: (_, data) => {
          if (this.#wanted) this.#pass(data);
          else this.#waiting.add(data);
        },
        onLost: (error) => this.destroy(error),
      },
    );
  }

  /** Credit goes back as data moves on, so no more than a window waits here for a slow consumer. */
  override _read(): void {
    this.#wanted = true;
    while (this.#wanted && this.#waiting.size > 0) this.#pass(this.#waiting.take() as Buffer);
    if (this.#ended && this.#waiting.size === 0) this.push(null);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#call?.cancel();
    done(error);
  }

  #reply(message: Message, final: boolean): void {
    try {
      const error = readRefusal(message, this.#path);
      if (error) this.destroy(error);
      else if (!final) this.#stat(object(message.stat, "stat"));
      else if (this.#opened) throw violation("the end of a file that was never opened");
      else this.#end();
    } catch (error) {
      this.destroy(error as SandboxError);
      throw error;
    }
  }

  #pass(data: Buffer): void {
    this.#call.consumed(BODY, data.length);
    this.#wanted = this.push(data);
  }

  #end(): void {
    this.#ended = true;
    if (this.#waiting.size === 0) this.push(null);
  }

  #stat(stat: Message): void {
    const modifiedMs = typeof stat.modified_ms === "number" ? stat.modified_ms : Number.NaN;
    if (Number.isNaN(modifiedMs) || !this.#opened) throw violation("a file without a time, or opened twice");
    this.#opened({ stream: this, size: count(stat, "size"), modifiedMs });
    this.#opened = undefined;
  }
}
