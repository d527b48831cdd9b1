// What a browser may do with what code made, as the headers say it.

/** What a page in our viewer's frame may do: run what it brought along, and reach nobody. */
export const PREVIEW_POLICY = [
  "sandbox allow-scripts",
  "default-src 'none'",
  "script-src 'unsafe-inline' 'unsafe-eval' data: blob:",
  "style-src 'unsafe-inline' data:",
  "img-src data: blob:",
  "font-src data:",
  "media-src data: blob:",
  "connect-src 'none'",
  "frame-src 'none'",
  "child-src 'none'",
  "worker-src 'none'",
  "object-src 'none'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'self'",
].join("; ");

/** In a frame of ours, but without scripts. */
export const FRAME_POLICY = still("'self'");
export const BARE_POLICY = still("'none'");

/** For documents that may hold scripts: no connection to anybody, by whatever means. A policy knows nothing of WebRTC. */
export const NO_CONNECTIONS = { "connection-allowlist": "()" };

/** For documents with one script of ours in them, and nobody else's. */
export function scriptPolicy(hash: string): string {
  return [
    "sandbox allow-scripts",
    "default-src 'none'",
    `script-src 'sha256-${hash}'`,
    "style-src 'unsafe-inline'",
    "img-src data: blob:",
    "font-src data:",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
  ].join("; ");
}

function still(ancestors: string): string {
  return `sandbox; default-src 'none'; style-src 'unsafe-inline' data:; img-src data:; font-src data:; media-src 'self' data:; form-action 'none'; base-uri 'none'; frame-ancestors ${ancestors}`;
}
