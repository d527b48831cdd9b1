import { z } from "zod";
import { AppError } from "#lib/app-error.ts";

/** The body of `/execute` and `/execute/stream`. */
export const toolCall = z.object({
  name: z.string().min(1).max(100),
  arguments: z.record(z.string(), z.unknown()).default({}),
});

export function idempotencyKey(request: Request): string | undefined {
  const key = request.headers.get("idempotency-key");
  if (key === null) return undefined;
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw new AppError("bad_request", "Idempotency-Key has up to 255 visible ASCII characters.");
  }
  return key;
}
