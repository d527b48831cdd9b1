import { AppError } from "#lib/app-error.ts";

const MOST_BYTES = 10 * 2 ** 20;

/** The body as JSON, read no further than the limit, whatever the length header claims. */
export async function readJson(request: Request, mostBytes = MOST_BYTES): Promise<unknown> {
  if (!/^application\/(.+\+)?json\b/i.test(request.headers.get("content-type") ?? "")) {
    throw new AppError("unsupported_media_type", "Send JSON, with `Content-Type: application/json`.");
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size > mostBytes) {
      throw new AppError("too_large", `The body is larger than ${Math.floor(mostBytes / 2 ** 20)} MB.`);
    }
    chunks.push(chunk);
  }
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks)));
  } catch (cause) {
    throw new AppError("bad_request", "The body is not valid JSON.", { cause });
  }
}
