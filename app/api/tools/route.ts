import { route } from "#app/_http/route.ts";
import { requireToken } from "#lib/auth/guards.ts";
import { catalogue } from "#mcp/tools/catalogue.ts";

export const GET = route({ guard: requireToken, handle: () => ({ tools: catalogue }) });
