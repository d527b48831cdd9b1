// Opens a byte stream to the daemon's socket: one `docker exec` of netcat, its output freed from the engine's framing.
import { Duplex } from "node:stream";
import type Docker from "dockerode";
import { PipeError } from "../errors.ts";

/** By its path: the first directories of PATH are the user's to fill. */
export const relay = ["/usr/bin/nc", "-U", "/run/cove/coved.sock"] as const;
const LONGEST_COMPLAINT = 1024;

export async function dialExec(
  docker: Docker,
  containerId: string,
  user: { uid: number; gid: number },
  abortSignal?: AbortSignal,
): Promise<Duplex> {
  const abort = abortSignal && { abortSignal };
  const exec = await docker.getContainer(containerId).exec({
    Cmd: [...relay],
    // Never a name: the container's passwd file is the user's to write.
    User: `${user.uid}:${user.gid}`,
    AttachStdin: true,
    AttachStdout: true,
    AttachStderr: true,
    Tty: false,
    ...abort,
  });
  return new ExecStream(await exec.start({ hijack: true, stdin: true, Tty: false, ...abort }));
}

/** The engine prefixes each piece with eight bytes: which of stdout and stderr it is, and how long. */
export class ExecStream extends Duplex {
  #raw: Duplex;
  #header = Buffer.alloc(8);
  #headerFilled = 0;
  #left = 0;
  #complaint = "";

  constructor(raw: Duplex) {
    super({ readableHighWaterMark: 256 * 1024, writableHighWaterMark: 256 * 1024 });
    this.#raw = raw;
    raw.on("data", (chunk: Buffer) => {
      if (!this.#take(chunk)) raw.pause();
    });
    raw.on("end", () => this.#ended());
    raw.on("error", (error) => this.destroy(error));
    raw.on("close", () => this.#ended());
  }

  override _read(): void {
    this.#raw.resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#raw.write(chunk, done);
  }

  override _writev(chunks: { chunk: Buffer }[], done: (error?: Error | null) => void): void {
    this.#raw.cork();
    chunks.forEach(({ chunk }, index) => {
      this.#raw.write(chunk, index === chunks.length - 1 ? done : undefined);
    });
    this.#raw.uncork();
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#raw.end(done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#raw.destroy();
    done(error);
  }

  /** False when the reader has enough for now. */
  #take(chunk: Buffer): boolean {
    let wanted = true;
    for (let at = 0; at < chunk.length; ) {
      if (this.#left === 0) {
        const copied = chunk.copy(this.#header, this.#headerFilled, at);
        at += copied;
        this.#headerFilled += copied;
        if (this.#headerFilled < 8) break;
        this.#headerFilled = 0;
        this.#left = this.#header.readUInt32BE(4);
        continue;
      }
      const piece = chunk.subarray(at, at + this.#left);
      at += piece.length;
      this.#left -= piece.length;
      if (this.#header[0] === 1) wanted = this.push(piece);
      else if (this.#complaint.length < LONGEST_COMPLAINT) this.#complaint += piece.toString("latin1");
    }
    return wanted;
  }

  #ended(): void {
    if (this.destroyed || this.readableEnded) return;
    if (this.#complaint) {
      const complaint = this.#complaint.slice(0, LONGEST_COMPLAINT).trim();
      this.destroy(new PipeError("disconnected", `The relay to the sandbox ended: ${complaint}`));
    } else this.push(null);
  }
}
