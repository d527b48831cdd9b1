import { z } from "zod";
import { PROVIDERS } from "#lib/models/credentials.ts";

export const providerParams = z.object({ provider: z.enum(PROVIDERS) });
