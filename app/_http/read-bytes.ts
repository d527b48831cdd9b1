import { AppError } from "#lib/app-error.ts";

/**
 * The body as it is, read no further than the limit, whatever the length header claims. One that says itself that it is too
 * long is not begun: to stop in the middle breaks the connection, and with it the answer.
 */
export async function readBytes(request: Request, mostBytes: number, tooLarge: string): Promise<Buffer> {
  if (Number(request.headers.get("content-length")) > mostBytes) throw new AppError("too_large", tooLarge);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size > mostBytes) throw new AppError("too_large", tooLarge);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}
