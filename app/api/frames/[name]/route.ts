import { z } from "zod";
import { type FigureDocument, figureDocument } from "#app/_figures/figure-document.ts";
import { route } from "#app/_http/route.ts";
import { NO_CONNECTIONS, scriptPolicy } from "#app/_preview/frame-policies.ts";
import { probeResponse } from "#app/_preview/probe-document.ts";
import { AppError } from "#lib/app-error.ts";

const NAMES = ["plotly", "vega", "probe", "control"] as const;
const everyone = () => undefined;

/** Documents of our own for frames without an origin: what draws figures, and what finds out how well a browser confines pages. */
export const GET = route({
  guard: everyone,
  params: z.object({ name: z.enum(NAMES).optional().catch(undefined) }),
  handle: async ({ params: { name }, request }) => {
    if (!name) throw new AppError("not_found", "There is no such frame.");
    if (name === "probe" || name === "control") return probeResponse(name);
    return sendFigure(request, await figureDocument(name));
  },
});

function sendFigure({ headers: asked }: Request, { hash, etag, html }: FigureDocument): Response {
  const headers = {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": scriptPolicy(hash),
    ...NO_CONNECTIONS,
    "cache-control": "public, no-cache",
    "referrer-policy": "no-referrer",
    etag,
  };
  return asked.get("if-none-match") === etag
    ? new Response(null, { status: 304, headers })
    : new Response(html, { headers });
}
