import { z } from "zod";

export const sessionName = z
  .string()
  .regex(/^[\w-]{1,64}$/, "must have letters, digits, - and _ only, up to 64")
  .default("default")
  .describe(
    "Sessions are independent of each other; one name is the same session for every client of the user.",
  );
