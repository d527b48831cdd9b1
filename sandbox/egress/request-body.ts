// Where the body of a request ends, so that nothing after it reaches the other side: bytes there would be a second
// request that no policy has seen.

import { type Header, valuesOf } from "./http-head.ts";
import { Refusal } from "./refusal.ts";

export type Framing = { kind: "none" } | { kind: "length"; length: number } | { kind: "chunked" };

export type BodyScanner = {
  /** How many bytes of the chunk belong to the body. */
  take: (chunk: Buffer) => number;
  done: () => boolean;
};

/** Two ways of saying the length, or an unusual one, are how requests are smuggled: refused. */
export function bodyFraming(headers: Header[]): Framing {
  const lengths = valuesOf(headers, "content-length");
  const encodings = valuesOf(headers, "transfer-encoding");
  if (encodings.length > 0) {
    if (lengths.length > 0 || encodings.join().toLowerCase() !== "chunked") throw unclear();
    return { kind: "chunked" };
  }
  if (lengths.length === 0) return { kind: "none" };
  const [length = ""] = lengths;
  if (lengths.length > 1 || !/^\d{1,15}$/.test(length)) throw unclear();
  return Number(length) === 0 ? { kind: "none" } : { kind: "length", length: Number(length) };
}

export function bodyScanner(framing: Framing): BodyScanner {
  if (framing.kind === "chunked") return chunkedScanner();
  let left = framing.kind === "length" ? framing.length : 0;
  return {
    take(chunk) {
      const size = Math.min(left, chunk.length);
      left -= size;
      return size;
    },
    done: () => left === 0,
  };
}

const LONGEST_LINE = 4096;
const MOST_TRAILER_BYTES = 16 * 1024;

/** `size;extension CRLF data CRLF … 0 CRLF trailers CRLF` */
function chunkedScanner(): BodyScanner {
  let state: "size" | "data" | "data-end" | "trailer" | "done" = "size";
  let line = "";
  let left = 0;
  let trailerBytes = 0;

  /** Collects one line; true when it is complete. */
  function lineEnds(byte: number): boolean {
    // At once and not at the line's end: what was taken may already be on its way.
    if (line.endsWith("\r") !== (byte === 10) || line.length >= LONGEST_LINE) throw broken();
    line += String.fromCharCode(byte);
    if (byte !== 10) return false;
    return true;
  }

  function endLine(): void {
    const text = line.slice(0, -2);
    line = "";
    if (state === "size") {
      const size = /^([0-9a-fA-F]{1,12})(?:[ \t]*;[\t -~]*)?$/.exec(text)?.[1];
      if (size === undefined) throw broken();
      left = Number.parseInt(size, 16);
      state = left > 0 ? "data" : "trailer";
    } else if (state === "data-end") {
      if (text !== "") throw broken();
      state = "size";
    } else if (text === "") {
      state = "done";
    }
  }

  return {
    take(chunk) {
      let at = 0;
      while (at < chunk.length && state !== "done") {
        if (state === "data") {
          const size = Math.min(left, chunk.length - at);
          at += size;
          left -= size;
          if (left === 0) state = "data-end";
        } else {
          if (state === "trailer" && ++trailerBytes > MOST_TRAILER_BYTES) throw broken();
          if (lineEnds(chunk[at++] ?? 0)) endLine();
        }
      }
      return at;
    },
    done: () => state === "done",
  };
}

function unclear(): Refusal {
  return new Refusal(
    "bad_request",
    "The length of the body is not clear: send one Content-Length, or chunked.",
  );
}

function broken(): Refusal {
  return new Refusal("bad_request", "The chunks of the body are malformed.");
}
