import { z } from "zod";

/** How long a program may run. What is left out is the operator's to choose; 30 unless they did. */
export const timeoutSeconds = z.number().positive().max(86_400).optional().meta({
  default: 30,
  description: "Seconds until it is ended; 30 if left out, unless the operator chose another default.",
});
