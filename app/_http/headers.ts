// Headers of requests and answers that more than one door reads or writes.
import { rateState } from "#lib/rate-limit.ts";

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

/** RFC 6266: the exact name for browsers that know UTF-8, a plain one for those that don't. Never inline by accident. */
export function contentDisposition(name: string, kind: "attachment" | "inline" = "attachment"): string {
  const safe =
    name.toWellFormed().replace(/[\p{Cc}/\\\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, "_") || "file";
  const plain = safe.replace(/[^\x20-\x7e]/g, "_").replaceAll('"', "_");
  const exact = encodeURIComponent(safe).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${kind}; filename="${plain}"; filename*=UTF-8''${exact}`;
}

/** `RateLimit` and `RateLimit-Policy` as the IETF's draft has them, and `Retry-After` once nothing is left. */
export function rateLimitHeaders({ id }: { id: string }): Record<string, string> {
  const { limit, left, fullInSeconds, retryAfterSeconds } = rateState(id);
  return {
    "ratelimit-policy": `"calls";q=${limit};w=60`,
    ratelimit: `"calls";r=${left};t=${fullInSeconds}`,
    ...(retryAfterSeconds && { "retry-after": String(retryAfterSeconds) }),
  };
}
