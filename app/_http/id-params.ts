import { z } from "zod";

const NOBODYS = "00000000-0000-0000-0000-000000000000";

/** What isn't an id belongs to nobody, like somebody else's: both are unknown. */
export const idParams = z.object({ id: z.uuid().catch(NOBODYS) });
