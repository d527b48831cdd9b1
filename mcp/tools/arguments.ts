// Arguments that several tools take.
import { z } from "zod";

// As much as Linux takes in one argument, which is how a shell gets its command.
const LONGEST_PROGRAM = 128 * 1024 - 1;

/** A command or a cell, which is sent as a whole. */
export const programText = z
  .string()
  .min(1)
  .max(LONGEST_PROGRAM)
  .refine(
    (text) => Buffer.byteLength(text) <= LONGEST_PROGRAM,
    "is longer than 128 kB: write it to a file and run that",
  );

export const sessionName = z
  .string()
  .regex(/^[\w-]{1,64}$/, "must have letters, digits, - and _ only, up to 64")
  .default("default")
  .describe(
    "Sessions are independent of each other; one name is the same session for every client of the user.",
  );

/** How long a program may run. What is left out is the operator's to choose; 30 unless they did. */
export const timeoutSeconds = z.number().positive().max(86_400).optional().meta({
  default: 30,
  description: "Seconds until it is ended; 30 if left out, unless the operator chose another default.",
});
