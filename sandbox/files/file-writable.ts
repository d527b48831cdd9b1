// A stream into a file of the sandbox, accepted no faster than the daemon writes it.
import { Writable } from "node:stream";
import { FileError, type SandboxError } from "../errors.ts";
import { count, type Message, violation } from "../pipe/messages.ts";
import type { Pipe } from "../pipe/pipe.ts";
import type { PipeStream } from "../pipe/pipe-stream.ts";
import { readRefusal } from "../pipe/read-refusal.ts";
import type { WriteOptions, WriteResult } from "./sandbox-files.ts";

export class FileWritable extends Writable {
  /** What was written, once the file is in its place. */
  readonly result: Promise<WriteResult>;
  #call: PipeStream;
  #path: string;
  #resolve!: (result: WriteResult) => void;
  #reject!: (error: unknown) => void;

  constructor(pipe: Pipe, path: string, options: WriteOptions & { append?: boolean }) {
    // One that is given up before it begins would open a file that nobody closes.
    options.signal?.throwIfAborted();
    super({ highWaterMark: 256 * 1024, signal: options.signal });
    this.#path = path;
    this.result = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    // Whoever pipes hears of a failure through the stream.
    this.result.catch(() => undefined);
    this.#call = pipe.open(
      { op: "write", path, append: options.append, mode: options.mode },
      { onReply: (message, final) => this.#reply(message, final), onLost: (error) => this.#fail(error) },
    );
    this.on("error", (error) => this.#reject(error));
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#call.write(chunk).then(() => done(), done);
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#call.end();
    this.result.then(() => done(), done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#call?.cancel();
    this.#reject(error ?? new FileError("io_error", this.#path, `${this.#path}: writing was given up.`));
    done(error);
  }

  #reply(message: Message, final: boolean): void {
    try {
      if (!final) throw violation("half an answer");
      const error = readRefusal(message, this.#path);
      if (error) this.#fail(error);
      else this.#resolve({ bytesWritten: count(message, "bytes"), size: count(message, "size") });
    } catch (error) {
      this.#fail(error as SandboxError);
      throw error;
    }
  }

  #fail(error: SandboxError): void {
    this.#reject(error);
    this.destroy(error);
  }
}
