import { route } from "#app/_http/route.ts";
import { requireAdminToken } from "#lib/auth/guards.ts";
import { exposeMetrics } from "#lib/server/expose-metrics.ts";

export const GET = route({
  guard: requireAdminToken,
  handle: async () => {
    const { text, type } = await exposeMetrics();
    return new Response(text, { headers: { "content-type": type, "cache-control": "no-store" } });
  },
});
