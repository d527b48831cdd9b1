import { Readable } from "node:stream";
import { finished } from "node:stream/promises";
import type { ReadableStream as NodeReadableStream } from "node:stream/web";
import { requireWebUser } from "#app/_http/guards.ts";
import { byteRange, contentDisposition, type Part } from "#app/_http/headers.ts";
import { route } from "#app/_http/route.ts";
import { openDownload } from "#lib/files/open-download.ts";
import { uploadFile } from "#lib/files/upload-file.ts";
import { nameOf } from "#lib/files/workspace-path.ts";
import { parameterOf, pathsOf } from "../query.ts";

// Images that can hold no script may be looked at; everything else is only ever saved.
const SHOWN: Record<string, string> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
};

export const GET = route({
  guard: requireWebUser,
  async handle({ caller, request }) {
    const [path] = pathsOf(request);
    const name = nameOf(path);
    const shown = parameterOf(request, "show") ? SHOWN[extensionOf(name)] : undefined;
    const headers = new Headers({
      "content-type": shown ?? "application/octet-stream",
      "content-disposition": contentDisposition(name, shown ? "inline" : "attachment"),
      "content-security-policy": "default-src 'none'; sandbox",
      "cache-control": "no-store, no-transform",
      "accept-ranges": "bytes",
    });
    const range = request.headers.get("range");
    const { size, part, stream } = await openDownload(caller.id, path, (whole) => byteRange(range, whole));
    if (part !== undefined) headers.set("content-range", contentRange(part, size));
    if (!stream) return new Response(null, { status: 416, headers });
    return new Response(Readable.toWeb(stream) as ReadableStream, { status: part ? 206 : 200, headers });
  },
});

export const PUT = route({
  guard: requireWebUser,
  async handle({ caller, request }) {
    const [path] = pathsOf(request);
    const body = request.body
      ? Readable.fromWeb(request.body as NodeReadableStream<Uint8Array>)
      : Readable.from([]);
    const replace = parameterOf(request, "replace") === "yes";
    try {
      return await uploadFile(caller.id, { path, body, replace, signal: request.signal });
    } catch (error) {
      // A browser listens for the answer only when it has sent everything.
      await finished(body.resume()).catch(() => undefined);
      throw error;
    }
  },
});

function contentRange(part: Part | null, size: number): string {
  return `bytes ${part ? `${part.offset}-${part.offset + part.length - 1}` : "*"}/${size}`;
}

function extensionOf(name: string): string {
  return name.slice(name.lastIndexOf(".") + 1).toLowerCase();
}
