import { route } from "#app/_http/route.ts";
import { requireToken } from "#lib/auth/guards.ts";
import { catalogueDocument } from "#mcp/tools/catalogue-document.ts";

export const GET = route({ guard: requireToken, handle: () => ({ tools: catalogueDocument }) });
