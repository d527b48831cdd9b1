import { AppError } from "#lib/app-error.ts";
import { readBytes } from "./read-bytes.ts";

const MOST_BYTES = 10 * 2 ** 20;

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
