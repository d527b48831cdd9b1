import { z } from "zod";

// As much as Linux takes in one argument, which is how a shell gets its command.
const MOST_BYTES = 128 * 1024 - 1;

/** A command or a cell, which is sent as a whole. */
export const programText = z
  .string()
  .min(1)
  .max(MOST_BYTES)
  .refine(
    (text) => Buffer.byteLength(text) <= MOST_BYTES,
    "is longer than 128 kB: write it to a file and run that",
  );
