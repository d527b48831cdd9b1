// A file of the sandbox as a Node stream: the daemon reads on only as credit comes back from whoever consumes it.
import { Readable } from "node:stream";
import { PipeError, type SandboxError } from "./errors.ts";
import type { ReadOptions } from "./files.ts";
import type { Pipe } from "./pipe/connection.ts";
import { count, type Message, object } from "./pipe/messages.ts";
import { refusal } from "./pipe/refusal.ts";
import type { PipeStream } from "./pipe/stream.ts";

export type OpenedFile = { stream: Readable; size: number; modifiedMs: number };

const BODY = 1;

export class FileReadable extends Readable {
  #call: PipeStream;
  #path: string;
  #opened: (file: OpenedFile) => void;

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
    super({ highWaterMark: 256 * 1024, signal: options.signal });
    this.#path = path;
    this.#opened = opened;
    const { offset, length } = options;
    this.#call = pipe.open(
      { op: "read", path, offset, length },
      {
        onReply: (message, final) => this.#reply(message, final),
        onData: (_, data) => this.push(data),
        onLost: (error) => this.destroy(error),
      },
    );
  }

  /** Credit is given back as the consumer takes data, by way of what is buffered here. */
  override read(size?: number): Buffer | null {
    const data = super.read(size) as Buffer | null;
    if (data) this.#call.consumed(BODY, data.length);
    return data;
  }

  override _read(): void {
    // Data comes by itself, as far as there is credit.
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#call?.cancel();
    done(error);
  }

  #reply(message: Message, final: boolean): void {
    try {
      const error = refusal(message, this.#path);
      if (error) this.destroy(error);
      else if (final) this.push(null);
      else this.#stat(object(message.stat, "stat"));
    } catch (error) {
      this.destroy(error as SandboxError);
      throw error;
    }
  }

  #stat(stat: Message): void {
    const modifiedMs = typeof stat.modified_ms === "number" ? stat.modified_ms : Number.NaN;
    if (Number.isNaN(modifiedMs))
      throw new PipeError("protocol_violation", "The sandbox's daemon sent no file time.");
    this.#opened({ stream: this, size: count(stat, "size"), modifiedMs });
  }
}
