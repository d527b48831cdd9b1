// Files with their hash: computed while they are written, compared before they are believed.
import { createHash } from "node:crypto";
import { constants, createWriteStream } from "node:fs";
import { mkdir, open } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

export interface Checksum {
  size: number;
  sha256: string;
}

/** A new file, its owner's alone, with its folder. It is on disk when this is done. */
export async function writeChecked(
  file: string,
  content: AsyncIterable<Buffer | string> | Iterable<Buffer | string>,
): Promise<Checksum> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const hash = createHash("sha256");
  let size = 0;
  await pipeline(
    Readable.from(content),
    async function* (source: AsyncIterable<Buffer | string>) {
      for await (const chunk of source) {
        const bytes = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
        hash.update(bytes);
        size += bytes.length;
        yield bytes;
      }
    },
    createWriteStream(file, { flags: "wx", mode: 0o600, flush: true }),
  );
  return { size, sha256: hash.digest("hex") };
}

/** Of a plain file, never of what a link leads to. Nothing if there is none. */
export async function checksumOf(file: string): Promise<Checksum | undefined> {
  const opened = await openPlain(file);
  if (!opened) return undefined;
  const hash = createHash("sha256");
  let size = 0;
  for await (const chunk of opened.createReadStream()) {
    hash.update(chunk);
    size += chunk.length;
  }
  return { size, sha256: hash.digest("hex") };
}

export async function openPlain(file: string) {
  // Not waiting for anybody, if it is a pipe.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const opened = await open(file, flags).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ELOOP" || error.code === "ENOTDIR") return undefined;
    throw error;
  });
  if (!opened || (await opened.stat()).isFile()) return opened;
  await opened.close();
  return undefined;
}
