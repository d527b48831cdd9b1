import { createHash } from "node:crypto";
import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { createServer as createHttpServer, type RequestListener } from "node:http";
import { type AddressInfo, createServer, type Server } from "node:net";
import { buffer } from "node:stream/consumers";
import Docker from "dockerode";
import { pack } from "tar-stream";
import { afterEach, expect, test } from "vitest";
import { hasImage } from "#sandbox/docker/build/debian-base.ts";
import { bootstrapDebian } from "#sandbox/docker/build/debian-bootstrap.ts";
import { pullImage } from "#sandbox/docker/build/pull-image.ts";

// The engine talks plain HTTP to a registry on loopback, so a small one of the test's own will do.
const docker = new Docker();
const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

test("an image is pulled from a registry that answers", async () => {
  const name = `${await listen(createHttpServer(await registry()))}/cove-test:pulled`;
  try {
    const lines: string[] = [];
    await pullImage(docker, name, { onProgress: (line) => lines.push(line) });
    expect(await hasImage(docker, name)).toBe(true);
    expect(lines.at(-1)).toContain("Downloaded newer image");
  } finally {
    await docker.getImage(name).remove();
  }
});

test("a registry that takes the connection and says nothing is given up on", async () => {
  const connections = new Set<{ destroy(): void }>();
  const address = await listen(
    createServer((socket) => connections.add(socket.on("error", () => socket.destroy()))),
  );
  const started = performance.now();
  await expect(pullImage(docker, `${address}/debian:x`, { firstSignMs: 500 })).rejects.toThrow(
    "stays silent",
  );
  expect(performance.now() - started).toBeLessThan(20_000);
  for (const connection of connections) connection.destroy();
});

test("a registry without the image says so at once", async () => {
  const address = await listen(createHttpServer((_, response) => response.writeHead(404).end(UNKNOWN)));
  await expect(pullImage(docker, `${address}/debian:x`)).rejects.toThrow(/not found|manifest unknown/i);
});

test("a bootstrap that is told to stop leaves no directory behind", async () => {
  const before = await leftovers();
  const controller = new AbortController();
  const bootstrap = bootstrapDebian(docker, {
    signal: controller.signal,
    onProgress: (line) => line.startsWith("I: ") && controller.abort(),
  });
  await expect(bootstrap).rejects.toThrow(/abort/i);
  expect(await leftovers()).toEqual(before);
});

async function leftovers(): Promise<string[]> {
  return (await readdir("/var/tmp")).filter((name) => name.startsWith("cove-base-"));
}

async function listen(server: Server): Promise<string> {
  servers.push(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Serves one image of one file, as the registry's HTTP API has it. */
async function registry(): Promise<RequestListener> {
  const tar = pack();
  tar.entry({ name: "hello" }, "hello");
  tar.finalize();
  const layer = await buffer(tar);
  const config = Buffer.from(
    JSON.stringify({
      architecture: (await docker.version()).Arch,
      os: "linux",
      config: {},
      rootfs: { type: "layers", diff_ids: [digest(layer)] },
    }),
  );
  const manifest = Buffer.from(
    JSON.stringify({
      schemaVersion: 2,
      mediaType: MANIFEST,
      config: descriptor("application/vnd.docker.container.image.v1+json", config),
      layers: [descriptor("application/vnd.docker.image.rootfs.diff.tar", layer)],
    }),
  );
  const blobs = new Map([layer, config].map((blob) => [digest(blob), blob]));
  return (request, response) => {
    const [, kind, reference = ""] = /\/(manifests|blobs)\/(.+)$/.exec(request.url ?? "") ?? [];
    const body =
      kind === "manifests" ? manifest : kind === "blobs" ? blobs.get(reference) : Buffer.from("{}");
    if (!body) return response.writeHead(404).end();
    const type = kind === "manifests" ? MANIFEST : "application/octet-stream";
    response.writeHead(200, {
      "content-type": type,
      "content-length": body.length,
      "docker-content-digest": digest(body),
    });
    response.end(request.method === "HEAD" ? undefined : body);
  };
}

const UNKNOWN = JSON.stringify({ errors: [{ code: "MANIFEST_UNKNOWN", message: "manifest unknown" }] });
const MANIFEST = "application/vnd.docker.distribution.manifest.v2+json";

function digest(data: Buffer): string {
  return `sha256:${createHash("sha256").update(data).digest("hex")}`;
}

function descriptor(mediaType: string, data: Buffer) {
  return { mediaType, size: data.length, digest: digest(data) };
}
