// The doors' public paths. They live under app/api, because a page and a handler can't share a segment; `next.config.ts` rewrites
// one to the other, and `/openapi.json` describes those that say so.
// Next reads the matcher of `proxy.ts` without running anything, so that one repeats the paths; a test holds it to these.

interface Door {
  path: string;
  handler: string;
  /** A page has this path, too: whoever sends a token means the door, and is refused there if it is a bad one. */
  sharedWithPage?: true;
  described?: true;
}

export const DOORS = [
  { path: "/health", handler: "/api/health", described: true },
  { path: "/tools", handler: "/api/tools", described: true },
  { path: "/skills", handler: "/api/skills", described: true, sharedWithPage: true },
  { path: "/skills/:name", handler: "/api/skills/:name", described: true, sharedWithPage: true },
  { path: "/openapi.json", handler: "/api/openapi", described: true },
  { path: "/execute", handler: "/api/execute", described: true },
  { path: "/execute/stream", handler: "/api/execute/stream", described: true },
  { path: "/execute/:path+", handler: "/api/execute/:path+" },
  { path: "/artifacts/:id/:name", handler: "/api/artifacts/:id/content/:name", described: true },
  { path: "/artifacts/:id/:name/preview", handler: "/api/artifacts/:id/preview/:name" },
  { path: "/metrics", handler: "/api/metrics" },
  { path: "/v1/:path*", handler: "/api/v1/:path*" },
] as const satisfies Door[];

export type DescribedPath = Extract<(typeof DOORS)[number], { described: true }>["path"];
