// Reads a cell's rich results: frames of kind, flags, length and bytes. They come from user code, so nothing is
// believed: what can't be a frame ends the reading, and what was read before it counts.
import type { ResultMime, RichResult } from "../types.ts";

const MIMES: readonly ResultMime[] = [
  "text/plain",
  "text/html",
  "text/markdown",
  "text/latex",
  "application/json",
  "image/png",
  "image/jpeg",
  "image/svg+xml",
  "application/vnd.plotly.v1+json",
  "application/vnd.vegalite.v6+json",
  "application/vnd.vega.v6+json",
];
const HEADER_BYTES = 6;
const VALUE = 1;
const TWIN = 2;
const MOST = 256;

export function readResults(bytes: Buffer): RichResult[] {
  const results: RichResult[] = [];
  for (let at = 0; at + HEADER_BYTES <= bytes.length && results.length < MOST; ) {
    const mime = MIMES[bytes[at] as number];
    const flags = bytes[at + 1] as number;
    const end = at + HEADER_BYTES + bytes.readUInt32BE(at + 2);
    if (!mime || flags > (VALUE | TWIN) || end > bytes.length) break;
    const content = bytes.subarray(at + HEADER_BYTES, end);
    const last = results.at(-1);
    if (!(flags & TWIN)) results.push(result(mime, content, (flags & VALUE) !== 0));
    else if (last && last.plain === undefined) last.plain = content.toString();
    at = end;
  }
  return results;
}

function result(mime: ResultMime, content: Buffer, value: boolean): RichResult {
  const isText = mime !== "image/png" && mime !== "image/jpeg";
  // A copy: a small image must not hold on to everything that came with it.
  return isText ? { mime, value, text: content.toString() } : { mime, value, data: Buffer.from(content) };
}
