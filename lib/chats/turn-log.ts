// What a running turn has said, in order, for whoever attaches to it: from the beginning, or from where they were. It is
// the only copy in memory however many read it, and a slow reader gets larger pieces instead of a longer queue.
import type { UIMessageChunk } from "ai";

/** A chunk and its place. A place is a position, not a count: text advances it by its length, so a piece can be cut. */
export interface Placed {
  seq: number;
  chunk: UIMessageChunk;
}

interface Entry extends Placed {
  /** The place before it. */
  start: number;
}

export class TurnLog {
  #entries: Entry[] = [];
  #seq = 0;
  #ended = false;
  #changed = Promise.withResolvers<void>();

  add(chunk: UIMessageChunk): void {
    const last = this.#entries.at(-1);
    const start = this.#seq;
    this.#seq += Math.max(1, deltaOf(chunk)?.length ?? 1);
    const joined = last && join(last.chunk, chunk);
    if (last && joined) {
      last.chunk = joined;
      last.seq = this.#seq;
    } else {
      this.#forgetOutdated(chunk);
      this.#entries.push({ start, seq: this.#seq, chunk });
    }
    this.#wake();
  }

  end(): void {
    this.#ended = true;
    this.#wake();
  }

  /** Everything after that place, then what follows until the turn ends. */
  async *read(after: number, signal: AbortSignal): AsyncGenerator<Placed> {
    let at = after;
    const gone = new Promise<void>((resolve) =>
      signal.addEventListener("abort", () => resolve(), { once: true }),
    );
    while (!signal.aborted) {
      const changed = this.#changed.promise;
      const next = this.#after(at);
      if (next) {
        at = next.seq;
        yield next;
      } else if (this.#ended) {
        return;
      } else {
        await Promise.race([changed, gone]);
      }
    }
  }

  #after(at: number): Placed | undefined {
    // Readers are mostly at the end, so that is where the search begins.
    let index = this.#entries.length;
    while (index > 0 && (this.#entries[index - 1]?.seq ?? 0) > at) index -= 1;
    const entry = this.#entries[index];
    if (!entry) return undefined;
    const { seq, start, chunk } = entry;
    return { seq, chunk: at > start ? rest(chunk, at - start) : chunk };
  }

  /** A newer state of the same output makes the older ones worthless. */
  #forgetOutdated(chunk: UIMessageChunk): void {
    if (chunk.type !== "tool-output-available") return;
    const index = this.#entries.findLastIndex(
      (entry) =>
        entry.chunk.type === "tool-output-available" &&
        entry.chunk.preliminary === true &&
        entry.chunk.toolCallId === chunk.toolCallId,
    );
    if (index >= 0) this.#entries.splice(index, 1);
  }

  #wake(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }
}

function deltaOf(chunk: UIMessageChunk): string | undefined {
  switch (chunk.type) {
    case "text-delta":
    case "reasoning-delta":
      return chunk.delta;
    case "tool-input-delta":
      return chunk.inputTextDelta;
    default:
      return undefined;
  }
}

/** Both as one, if the second only continues the first. */
function join(first: UIMessageChunk, second: UIMessageChunk): UIMessageChunk | undefined {
  if (first.type !== second.type) return undefined;
  if (first.type === "tool-input-delta" && second.type === "tool-input-delta") {
    return first.toolCallId === second.toolCallId && first.inputTextDelta && second.inputTextDelta
      ? { ...second, inputTextDelta: first.inputTextDelta + second.inputTextDelta }
      : undefined;
  }
  if (
    (first.type === "text-delta" && second.type === "text-delta") ||
    (first.type === "reasoning-delta" && second.type === "reasoning-delta")
  ) {
    return first.id === second.id && first.delta && second.delta
      ? { ...first, ...second, delta: first.delta + second.delta }
      : undefined;
  }
  return undefined;
}

function rest(chunk: UIMessageChunk, from: number): UIMessageChunk {
  switch (chunk.type) {
    case "text-delta":
    case "reasoning-delta":
      return { ...chunk, delta: chunk.delta.slice(from) };
    case "tool-input-delta":
      return { ...chunk, inputTextDelta: chunk.inputTextDelta.slice(from) };
    default:
      return chunk;
  }
}
