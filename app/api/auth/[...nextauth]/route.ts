import { NextRequest } from "next/server";
import { readBytes } from "#app/_http/read-body.ts";
import { route } from "#app/_http/route.ts";
import { handlers } from "#lib/auth/next-auth.ts";

// Anybody may send this, and next-auth would read all of it: an address and a password of the longest kind fit many times.
const MOST_BYTES = 64 * 1024;

const everyone = () => undefined;

export const GET = route({
  guard: everyone,
  handle: async ({ request }) => open(await handlers.GET(request as NextRequest)),
});

export const POST = route({
  guard: everyone,
  handle: async ({ request }) => {
    const body = await readBytes(request, MOST_BYTES, "That is far too long to sign in with.");
    const { url, method, headers } = request;
    return open(await handlers.POST(new NextRequest(url, { method, headers, body: new Uint8Array(body) })));
  },
});

/** Its redirects are sealed, and every answer of ours gets a request id. */
function open(answer: Response): Response {
  return new Response(answer.body, answer);
}
