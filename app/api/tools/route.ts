import { wrongMethod } from "#app/_http/no-such-door.ts";
import { route } from "#app/_http/route.ts";
import { requireToken } from "#lib/auth/guards.ts";
import { catalogueDocument } from "#mcp/tools/catalogue-document.ts";

export const GET = route({ guard: requireToken, handle: () => ({ tools: catalogueDocument }) });

const wrong = wrongMethod("GET");

export { wrong as DELETE, wrong as PATCH, wrong as POST, wrong as PUT };
