import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Docker from "dockerode";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ensureImage } from "#sandbox/docker/build/build-image.ts";

const docker = new Docker();
let dir: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "build-image-"));
});

afterEach(() => rmSync(dir, { recursive: true }));

test("a step that breaks is named, with what it printed", async () => {
  dockerfile("RUN echo about to look && ls /does/not/exist");
  const { message } = await ensureImage(docker, { dir }).then(
    () => new Error("it was built"),
    (error: Error) => error,
  );
  expect(message).toMatch(/^Building cove-sandbox:\w+ stopped at Step 3\/3 : RUN echo about to look/);
  expect(message).toContain("returned a non-zero code: 2");
  expect(message).toContain("  about to look\n");
  expect(message).toContain("No such file or directory");
});

test("a Dockerfile that can't be read is an error with its reason", async () => {
  dockerfile("NONSENSE");
  await expect(ensureImage(docker, { dir })).rejects.toThrow(/unknown instruction: NONSENSE/i);
});

test("a build that is told to stop stops, and its container goes", async () => {
  dockerfile(`RUN echo waiting && exec sleep ${SECONDS}`);
  const controller = new AbortController();
  const reason = new Error("changed my mind");
  const building = ensureImage(docker, {
    dir,
    signal: controller.signal,
    onProgress: (line) => line === "waiting" && controller.abort(reason),
  });
  await expect(building).rejects.toBe(reason);
  await expect.poll(sleepers, { timeout: 15_000 }).toEqual([]);
});

test("one that is told to stop before it began doesn't begin", async () => {
  dockerfile("RUN false");
  const reason = new Error("too late");
  await expect(ensureImage(docker, { dir, signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
});

test("a proxy serves the build and leaves its password out of the image", async () => {
  dockerfile(`RUN test -n "$http_proxy"`);
  const proxies = { http_proxy: "http://me:hush-hush@127.0.0.1:9" };
  const { tag, built } = await ensureImage(docker, { dir, proxies });
  try {
    expect(built).toBe(true);
    const image = docker.getImage(tag);
    expect(JSON.stringify([await image.inspect(), await image.history()])).not.toContain("hush-hush");
    expect(await ensureImage(docker, { dir, proxies })).toEqual({ tag, built: false });
  } finally {
    await docker.getImage(tag).remove();
  }
});

// Tells this test's container from everybody else's.
const SECONDS = 3000 + (process.pid % 1000);

function dockerfile(...lines: string[]): void {
  writeFileSync(join(dir, "Dockerfile"), ["ARG BASE", "FROM $BASE", ...lines, ""].join("\n"));
}

async function sleepers(): Promise<string[]> {
  const containers = await docker.listContainers({ all: true });
  return containers.filter(({ Command }) => Command.includes(`sleep ${SECONDS}`)).map(({ Id }) => Id);
}
