// The end of a run as a file: JSON, with bytes as base64. What is read back is data like any other, and checked.
import { z } from "zod";
import type { FinishedExecution } from "#db/queries/executions.ts";

/** The file is not what was written. */
export class UnreadableEnd extends Error {
  override name = "UnreadableEnd";
}

const VERSION = 1;

const integer = z.int32();
const bytes = z
  .string()
  .refine((text) => Buffer.from(text, "base64").toString("base64") === text, "is no base64")
  .transform((text) => Buffer.from(text, "base64"));

/** Every field that an end can have: a new one doesn't compile until it is here. Where output is stored is decided later. */
const fields = {
  status: z.enum(["completed", "failed", "timeout", "oom", "cancelled", "interrupted"]),
  exitCode: integer.nullish(),
  stdout: bytes.nullish(),
  stderr: bytes.nullish(),
  truncated: z.boolean().optional(),
  durationMs: integer.nullish(),
  cpuMs: integer.nullish(),
  memoryBytes: z.int().nullish(),
  session: z.string().nullish(),
  restarted: z.boolean().nullish(),
  results: z.string().nullish(),
  deniedHosts: z.string().nullish(),
  artifactsSkipped: z.string().nullish(),
  result: z.string().nullish(),
  idempotencyKey: z.string().nullish(),
  words: z.array(z.string()).optional(),
  outputBlob: z.undefined().optional(),
  outputBlobBytes: z.undefined().optional(),
  removedBytes: z.undefined().optional(),
} satisfies Record<keyof FinishedExecution, z.ZodType>;

const spooledEnd = z.strictObject({ version: z.literal(VERSION), id: z.uuid(), end: z.strictObject(fields) });

export function encodeEnd(id: string, end: FinishedExecution): Buffer {
  const plain = Object.entries(end).map(([name, value]) => [
    name,
    Buffer.isBuffer(value) ? value.toString("base64") : value,
  ]);
  return Buffer.from(JSON.stringify({ version: VERSION, id, end: Object.fromEntries(plain) }));
}

/** Throws `UnreadableEnd` when it isn't the end of that run. */
export function decodeEnd(id: string, text: string): FinishedExecution {
  try {
    const spooled = spooledEnd.parse(JSON.parse(text));
    if (spooled.id === id) return spooled.end;
  } catch (cause) {
    throw new UnreadableEnd(`This is no end of the run ${id}.`, { cause });
  }
  throw new UnreadableEnd(`This is the end of another run than ${id}.`);
}
