// A page that code made, for a frame of our viewer: with our script before its own, and without the tags that reach out.
import { Readable } from "node:stream";
import { disarmStream } from "#app/_preview/disarm.ts";
import { FIRST_SCRIPT } from "#app/_preview/first-script.ts";
import { FRAME_POLICY, NO_CONNECTIONS, PREVIEW_POLICY } from "#app/_preview/frame-policies.ts";
import { openContents } from "#lib/artifacts/open-contents.ts";
import type { SentArtifact } from "./send-artifact.ts";

// A page without a doctype of its own gets one, too; a second one is ignored.
const BEFORE = `<!doctype html><script>${FIRST_SCRIPT}</script>`;

export async function sendPreview(artifact: SentArtifact, { run }: { run: boolean }): Promise<Response> {
  const blob = await openContents(artifact, { start: 0, end: artifact.size - 1 });
  const page = Readable.toWeb(blob) as ReadableStream<Uint8Array>;
  return new Response(page.pipeThrough(disarmStream(BEFORE)), {
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
