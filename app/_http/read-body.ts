import { AppError } from "#lib/app-error.ts";

// Of JSON, where a door says nothing else.
const MOST_BYTES = 10 * 2 ** 20;

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

/** The body as JSON, read no further than the limit. */
export async function readJson(request: Request, mostBytes = MOST_BYTES): Promise<unknown> {
  if (!/^application\/(.+\+)?json\b/i.test(request.headers.get("content-type") ?? "")) {
    throw new AppError("unsupported_media_type", "Send JSON, with `Content-Type: application/json`.");
  }
  const tooLarge = `The body is larger than ${Math.floor(mostBytes / 2 ** 20)} MB.`;
  const bytes = await readBytes(request, mostBytes, tooLarge);
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new AppError("bad_request", "The body is not valid JSON.", { cause });
  }
}
