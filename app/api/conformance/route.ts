import { route } from "#app/_http/route.ts";
import { env } from "#env.ts";
import { AppError } from "#lib/app-error.ts";
import { requireToken } from "#lib/auth/guards.ts";
import { ownHosts } from "#lib/auth/own-origin.ts";

/** For tests only: the protocol's conformance suite calls fixtures by name. Anywhere else there is nothing here. */
const door = route({
  guard: requireToken,
  handle: async ({ request }) => {
    if (!env().COVE_CONFORMANCE) throw new AppError("not_found", "There is nothing here.");
    const { serveFixtures } = await import("#mcp/conformance/serve-fixtures.ts");
    return serveFixtures(request, ownHosts());
  },
});

export { door as DELETE, door as GET, door as POST };
