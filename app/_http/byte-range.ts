export interface Part {
  offset: number;
  length: number;
}

/** One range of a known size; undefined for none or for what isn't understood, null for one that lies outside. */
export function byteRange(header: string | null, size: number): Part | undefined | null {
  const [, from = "", to = ""] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? "") ?? [];
  if (!from && !to) return undefined;
  const first = from ? Number(from) : Math.max(0, size - Number(to));
  const last = from && to ? Math.min(Number(to), size - 1) : size - 1;
  if (from && to && Number(to) < first) return undefined;
  return first < size && first <= last ? { offset: first, length: last - first + 1 } : null;
}
