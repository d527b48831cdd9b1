import { z } from "zod";

/** What isn't an id belongs to nobody, like somebody else's: both are unknown. */
export const conversationParams = z.object({
  id: z
    .string()
    .transform((id) => (z.uuid().safeParse(id).success ? id : "00000000-0000-0000-0000-000000000000")),
});
