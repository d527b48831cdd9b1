// Gives every page its Content-Security-Policy with a fresh nonce. It decides nothing about who may see what: the guards in pages
// and handlers do.
import { randomBytes } from "node:crypto";
import { type NextRequest, NextResponse } from "next/server";
import { env } from "./env.ts";

export function proxy(request: NextRequest): NextResponse {
  const policy = contentSecurityPolicy(randomBytes(16).toString("base64"));
  const headers = new Headers(request.headers);
  // Next reads the nonce for its own scripts from the policy in the request.
  headers.set("content-security-policy", policy);
  // Layouts can't see the address; the sign-in page needs it to bring people back.
  headers.set("x-cove-path", request.nextUrl.pathname + request.nextUrl.search);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set("content-security-policy", policy);
  if (env().COVE_URL.startsWith("https:")) {
    response.headers.set("strict-transport-security", "max-age=31536000; includeSubDomains");
  }
  return response;
}

export const config = {
  matcher: [
    "/((?!api/|v1/|_next/|execute$|execute/|health$|metrics$|openapi\\.json$|tools$|icon.svg$|artifacts/[^/]+/.).*)",
  ],
};

function contentSecurityPolicy(nonce: string): string {
  // The development server evaluates code to map errors to their source.
  const evaluation = env().development ? " 'unsafe-eval'" : "";
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${evaluation}`,
    // Menus and dialogs are placed by style attributes, which no nonce can cover; a stylesheet still needs to be ours.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "frame-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}
