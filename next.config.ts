import type { NextConfig } from "next";
import { DOORS } from "./app/doors.ts";

// The pages' Content-Security-Policy has a nonce and comes from proxy.ts; these hold for every answer.
const SECURITY_HEADERS = {
  "X-Content-Type-Options": "nosniff",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
};

// Artifacts' contents and the documents of frames say these themselves: our pages frame them, and a signed link must not travel
// as a referrer.
const BUT_ARTIFACTS = {
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "same-origin",
};

export default {
  distDir: process.env.COVE_BUILD_DIR || ".next",
  // For the images: what the server needs of its packages, without the rest.
  ...(process.env.COVE_STANDALONE && { output: "standalone" as const }),
  poweredByHeader: false,
  reactStrictMode: true,
  // `npm test` checks types, in two seconds; a build for somebody who only wants to start Cove need not.
  typescript: { ignoreBuildErrors: true },
  agentRules: false,
  experimental: { agentUpgrade: false },
  serverExternalPackages: ["dockerode", "pino"],
  // Read as they are, by the frames that draw figures.
  outputFileTracingIncludes: {
    "/api/frames/*": [
      "./node_modules/plotly.js-dist-min/plotly.min.js",
      "./node_modules/vega/build/vega.min.js",
      "./node_modules/vega-lite/build/vega-lite.min.js",
      "./node_modules/vega-embed/build/vega-embed.min.js",
    ],
  },
  rewrites: async () => ({
    beforeFiles: DOORS.filter(isShared).map(({ path, handler }) => ({
      source: path,
      destination: handler,
      has: [{ type: "header" as const, key: "authorization" }],
    })),
    afterFiles: DOORS.filter((door) => !isShared(door)).map(({ path, handler }) => ({
      source: path,
      destination: handler,
    })),
    fallback: [],
  }),
  headers: async () => [
    { source: "/:path*", headers: toList(SECURITY_HEADERS) },
    {
      source: "/((?!artifacts/[^/]+/.|api/artifacts/[^/]+/(?:content|preview)/|api/frames/).*)",
      headers: toList(BUT_ARTIFACTS),
    },
  ],
} satisfies NextConfig;

function isShared(door: (typeof DOORS)[number]): boolean {
  return "sharedWithPage" in door;
}

function toList(headers: Record<string, string>): { key: string; value: string }[] {
  return Object.entries(headers).map(([key, value]) => ({ key, value }));
}
