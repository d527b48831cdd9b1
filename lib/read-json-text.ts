import type { z } from "zod";

/** JSON that was kept as text; what isn't as expected counts as missing. */
export function readJsonText<T>(schema: z.ZodType<T>, text: string | null, otherwise: T): T {
  if (text === null) return otherwise;
  try {
    const parsed = schema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : otherwise;
  } catch {
    return otherwise;
  }
}
