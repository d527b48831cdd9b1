// Bytes that wait for a slow reader. Credit bounds how many; here small pieces are copied together, because a sender
// that cuts its data into single bytes would otherwise have us keep an object for each.

const BLOCK = 16 * 1024;

export class ByteQueue {
  size = 0;
  #pieces: Buffer[] = [];
  /** How much of the last piece is filled, if that is a block of ours. */
  #filled: number | undefined;

  add(data: Buffer): void {
    this.size += data.length;
    const last = this.#pieces.at(-1);
    if (!last || (this.#filled ?? last.length) + data.length > BLOCK) {
      this.#close();
      this.#pieces.push(data);
      return;
    }
    const block = this.#filled === undefined ? this.#begin(last) : last;
    this.#filled = (this.#filled ?? 0) + data.copy(block, this.#filled);
  }

  /** The oldest bytes, as many as lie together; undefined if there are none. */
  take(): Buffer | undefined {
    if (this.#pieces.length === 1) this.#close();
    const piece = this.#pieces.shift();
    this.size -= piece?.length ?? 0;
    return piece;
  }

  /** A block in place of the last piece, with its bytes in front. */
  #begin(last: Buffer): Buffer {
    const block = Buffer.allocUnsafe(BLOCK);
    this.#filled = last.copy(block);
    this.#pieces[this.#pieces.length - 1] = block;
    return block;
  }

  #close(): void {
    if (this.#filled === undefined) return;
    const block = this.#pieces.pop() as Buffer;
    this.#pieces.push(block.subarray(0, this.#filled));
    this.#filled = undefined;
  }
}
