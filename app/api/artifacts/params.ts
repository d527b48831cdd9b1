import { z } from "zod";

/** What isn't an id can't be anybody's artifact: no different from one that isn't there. */
export const artifactParams = z.object({ id: z.uuid().catch("00000000-0000-0000-0000-000000000000") });
