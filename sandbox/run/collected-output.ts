// Gathers one output stream of an execution: the daemon sends its head as it comes and its tail at the end.

export class CollectedOutput {
  /** How far into the stream we have come, what was left out included. */
  offset = 0;
  omitted = 0;
  /** Copied together: the daemon may send it byte by byte, and an object for each would outweigh any limit. */
  #kept = Buffer.alloc(0);
  #size = 0;
  #bytes = 0;
  #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** False if that is more than was asked for. */
  add(data: Buffer): boolean {
    this.offset += data.length;
    this.#bytes += data.length;
    if (this.#bytes > this.#limit) return false;
    this.#keep(data);
    return true;
  }

  skip(bytes: number): void {
    this.offset += bytes;
    this.omitted += bytes;
    this.#keep(notice(bytes));
  }

  /** The execution wrote so much in all; what never came was cut off. */
  close(total: number): void {
    if (total > this.offset) this.skip(total - this.offset);
  }

  bytes(): Buffer {
    return this.#kept.subarray(0, this.#size);
  }

  #keep(data: Buffer): void {
    const size = this.#size + data.length;
    if (size > this.#kept.length) {
      const larger = Buffer.allocUnsafe(this.#size === 0 ? size : Math.max(size, 2 * this.#kept.length));
      this.#kept.copy(larger, 0, 0, this.#size);
      this.#kept = larger;
    }
    this.#kept.set(data, this.#size);
    this.#size = size;
  }
}

function notice(bytes: number): Buffer {
  return Buffer.from(`\n[… ${bytes.toLocaleString("en-US")} bytes left out …]\n`);
}
