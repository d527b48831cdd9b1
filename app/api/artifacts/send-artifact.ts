// An artifact's contents as a response. Code made them, so a browser may show them and nothing more: no origin of ours, no
// scripts, nothing fetched.
import { Readable } from "node:stream";
import { byteRange, contentDisposition } from "#app/_http/headers.ts";
import { disarmStream } from "#app/_preview/disarm.ts";
import { FIRST_SCRIPT } from "#app/_preview/first-script.ts";
import { BARE_POLICY, FRAME_POLICY, NO_CONNECTIONS, PREVIEW_POLICY } from "#app/_preview/frame-policies.ts";
import { type Contents, openContents, requireContents } from "#lib/artifacts/open-contents.ts";

export interface SentArtifact extends Contents {
  mime: string;
  kind: string;
}

const MAY_HOLD_SCRIPTS = new Set(["text/html", "image/svg+xml"]);
const KEPT_SECONDS = 3600;
// A browser's own viewer for PDF doesn't work in a sandbox; the document can't reach our origin from it either way.
const PDF_POLICY = "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'self'";

// A page without a doctype of its own gets one, too; a second one is ignored.
const BEFORE_PAGE = `<!doctype html><script>${FIRST_SCRIPT}</script>`;

interface Options {
  policy?: string;
  /** A browser shows it again for a while without asking. Only for what no revoked link can lead to. */
  keep?: boolean;
}

export async function sendArtifact(
  request: Request,
  artifact: SentArtifact,
  { policy, keep = false }: Options = {},
): Promise<Response> {
  const etag = `"${artifact.sha256.toString("base64url")}"`;
  const headers = new Headers({
    "content-security-policy": artifact.mime === "application/pdf" ? PDF_POLICY : (policy ?? BARE_POLICY),
    "cache-control": `private, ${keep ? `max-age=${KEPT_SECONDS}` : "no-cache"}, no-transform`,
    vary: "Authorization, Cookie",
    "referrer-policy": "no-referrer",
    "x-dns-prefetch-control": "off",
    "accept-ranges": "bytes",
    etag,
    ...(MAY_HOLD_SCRIPTS.has(artifact.mime) && NO_CONNECTIONS),
  });
  if (matches(request.headers.get("if-none-match"), etag))
    return new Response(null, { status: 304, headers });

  const part = wantedPart(request, etag, artifact.size);
  if (part === null) {
    headers.set("content-range", `bytes */${artifact.size}`);
    return new Response(null, { status: 416, headers });
  }
  const { offset, length } = part ?? { offset: 0, length: artifact.size };
  const end = offset + length - 1;
  if (part) headers.set("content-range", `bytes ${offset}-${end}/${artifact.size}`);
  headers.set("content-type", contentType(artifact));
  headers.set("content-disposition", contentDisposition(artifact.name, dispositionOf(request, artifact)));
  const wantsBody = request.method !== "HEAD" && length > 0;
  if (!wantsBody) await requireContents(artifact);
  const body = wantsBody ? await openContents(artifact, { start: offset, end }) : null;
  return new Response(body && (Readable.toWeb(body) as ReadableStream), {
    status: part ? 206 : 200,
    headers,
  });
}

/** A page that code made, for a frame of our viewer: with our script before its own, and without the tags that reach out. */
export async function sendPreview(artifact: SentArtifact, { run }: { run: boolean }): Promise<Response> {
  const blob = await openContents(artifact, { start: 0, end: artifact.size - 1 });
  const page = Readable.toWeb(blob) as ReadableStream<Uint8Array>;
  return new Response(page.pipeThrough(disarmStream(BEFORE_PAGE)), {
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": run ? PREVIEW_POLICY : FRAME_POLICY,
      ...NO_CONNECTIONS,
      "cache-control": "private, no-cache, no-transform",
      vary: "Cookie, Sec-Fetch-Dest, Sec-Fetch-Site",
      "referrer-policy": "no-referrer",
      "x-dns-prefetch-control": "off",
    },
  });
}

function wantedPart(request: Request, etag: string, size: number) {
  const condition = request.headers.get("if-range");
  if (condition !== null && condition !== etag) return undefined;
  return byteRange(request.headers.get("range"), size);
}

function matches(header: string | null, etag: string): boolean {
  const etags = header?.split(",").map((one) => one.trim().replace(/^W\//, "")) ?? [];
  return etags.includes(etag) || etags.includes("*");
}

function contentType({ mime }: SentArtifact): string {
  const isText = mime.startsWith("text/") || mime === "image/svg+xml" || /\bjson\b/.test(mime);
  return isText ? `${mime}; charset=utf-8` : mime;
}

/** What a browser has no viewer for is saved; the rest only when asked. */
function dispositionOf(request: Request, { kind, mime }: SentArtifact): "inline" | "attachment" {
  const shown =
    /^(text|image|audio|video)\//.test(mime) || mime === "application/pdf" || /\bjson\b/.test(mime);
  const saved = new URL(request.url).searchParams.has("download");
  return shown && !saved && kind !== "archive" ? "inline" : "attachment";
}
