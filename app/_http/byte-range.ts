export interface ByteRange {
  start: number;
  /** Included. */
  end: number;
}

/**
 * What `Range` asks for: a part, everything, or something that isn't there. What isn't understood, such as several ranges
 * at once, means everything, as RFC 9110 has it.
 */
export function byteRange(header: string | null, size: number): ByteRange | "all" | "unsatisfiable" {
  const [, first = "", last = ""] = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? "") ?? [];
  if (!first && !last) return "all";
  if (!first) {
    const length = Math.min(Number(last), size);
    return length === 0 ? "unsatisfiable" : { start: size - length, end: size - 1 };
  }
  const start = Number(first);
  const end = last ? Math.min(Number(last), size - 1) : size - 1;
  if (last && Number(last) < start) return "all";
  return start >= size ? "unsatisfiable" : { start, end };
}
