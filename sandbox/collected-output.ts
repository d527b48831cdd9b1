// Gathers one output stream of an execution: the daemon sends its head as it comes and its tail at the end.

export class CollectedOutput {
  /** How far into the stream we have come, what was left out included. */
  offset = 0;
  omitted = 0;
  #parts: Buffer[] = [];
  #bytes = 0;
  #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** False if that is more than was asked for. */
  add(data: Buffer): boolean {
    this.offset += data.length;
    this.#bytes += data.length;
    this.#parts.push(data);
    return this.#bytes <= this.#limit;
  }

  skip(bytes: number): void {
    this.offset += bytes;
    this.omitted += bytes;
    this.#parts.push(notice(bytes));
  }

  /** The execution wrote so much in all; what never came was cut off. */
  close(total: number): void {
    if (total > this.offset) this.skip(total - this.offset);
  }

  bytes(): Buffer {
    return this.#parts.length === 1 ? (this.#parts[0] as Buffer) : Buffer.concat(this.#parts);
  }
}

function notice(bytes: number): Buffer {
  return Buffer.from(`\n[… ${bytes.toLocaleString("en-US")} bytes left out …]\n`);
}
