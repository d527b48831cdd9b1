import { route } from "#app/_http/route.ts";
import { health } from "#lib/server/health.ts";

const everyone = () => undefined;

export const GET = route({
  guard: everyone,
  handle: async () => {
    const report = await health();
    return Response.json(report, {
      status: report.status === "ok" ? 200 : 503,
      headers: { "cache-control": "no-store" },
    });
  },
});
