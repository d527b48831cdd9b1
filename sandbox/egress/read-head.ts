import type { Readable } from "node:stream";
import { Refusal } from "./refusal.ts";

export type ReadHeadOptions = { maxBytes: number; timeoutMs: number };

/** Takes bytes up to and with the first empty line; what came after it stays in the stream. */
export function readHead(stream: Readable, { maxBytes, timeoutMs }: ReadHeadOptions): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const endIn = headEnd();

    const settle = (finish: () => void) => {
      clearTimeout(timer);
      stream.off("readable", take).off("end", ended).off("close", ended);
      finish();
    };
    const fail = (refusal: Refusal) => settle(() => reject(refusal));
    const ended = () =>
      fail(new Refusal("bad_request", "The connection ended before the head was complete."));
    const late = () => fail(new Refusal("head_timeout", "The head of the message took too long."));
    const take = () => {
      for (let chunk: Buffer | null = stream.read(); chunk !== null; chunk = stream.read()) {
        const end = endIn(chunk);
        chunks.push(end === undefined ? chunk : chunk.subarray(0, end));
        size += end ?? chunk.length;
        if (size > maxBytes) {
          return fail(new Refusal("head_too_large", `The head of the message exceeds ${maxBytes} bytes.`));
        }
        if (end === undefined) continue;
        if (end < chunk.length) stream.unshift(chunk.subarray(end));
        return settle(() => resolve(Buffer.concat(chunks)));
      }
    };

    const timer = setTimeout(late, timeoutMs);
    if (stream.readableEnded || stream.destroyed) return ended();
    stream.on("readable", take).once("end", ended).once("close", ended);
  });
}

/** Finds the byte after the first empty line; remembers between chunks, so a head that drips in costs no rescans. */
export function headEnd(): (chunk: Buffer) => number | undefined {
  let matched = 0;
  return (chunk) => {
    for (let at = 0; at < chunk.length; at++) {
      const expected = matched % 2 === 0 ? 13 : 10;
      if (chunk[at] === expected) matched++;
      else matched = chunk[at] === 13 ? 1 : 0;
      if (matched === 4) return at + 1;
    }
    return undefined;
  };
}
