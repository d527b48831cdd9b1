import type { NextConfig } from "next";

// The doors live under app/api, because a page and a handler can't share a segment. These are their public names.
const DOORS: Record<string, string> = {
  "/health": "/api/health",
  "/metrics": "/api/metrics",
  "/openapi.json": "/api/openapi",
  "/tools": "/api/tools",
  "/execute": "/api/execute",
  "/execute/:path+": "/api/execute/:path+",
  "/artifacts/:id/:name": "/api/artifacts/:id/content/:name",
  "/artifacts/:id/:name/preview": "/api/artifacts/:id/preview/:name",
  "/v1/:path*": "/api/v1/:path*",
};

// Pages have these paths, too: whoever sends a token means the door, and is refused there if it is a bad one.
const SHARED_WITH_PAGES: Record<string, string> = {
  "/skills": "/api/skills",
  "/skills/:name": "/api/skills/:name",
};

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
    beforeFiles: Object.entries(SHARED_WITH_PAGES).map(([source, destination]) => ({
      source,
      destination,
      has: [{ type: "header" as const, key: "authorization" }],
    })),
    afterFiles: Object.entries(DOORS).map(([source, destination]) => ({ source, destination })),
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

function toList(headers: Record<string, string>): { key: string; value: string }[] {
  return Object.entries(headers).map(([key, value]) => ({ key, value }));
}
