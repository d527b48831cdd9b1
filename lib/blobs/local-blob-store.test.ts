import { randomBytes } from "node:crypto";
import { readdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { afterEach, beforeEach, expect, test } from "vitest";
import { temporaryDirectory } from "#tests/support/temporary-directory.ts";
import { LocalBlobStore } from "./local-blob-store.ts";

let folder: string;
let store: LocalBlobStore;

beforeEach(async () => {
  folder = await temporaryDirectory();
  store = new LocalBlobStore(path.join(folder, "blobs"), { reserveBytes: 1 });
});

afterEach(() => rm(folder, { recursive: true }));

test.each([0, 1, 10_000, 256 * 1024, 256 * 1024 + 1, 5_000_000])(
  "%i bytes come back as they were",
  async (size) => {
    const content = randomBytes(size);
    const pieces = Array.from({ length: Math.ceil(size / 100_000) }, (_, at) =>
      content.subarray(at * 100_000, (at + 1) * 100_000),
    );
    for (const given of [content, Readable.from(pieces)]) {
      const put = await store.put(given);
      expect([put.size, put.head]).toEqual([size, content.subarray(0, 8192)]);
      expect((await buffer(await store.open(put.sha256))).equals(content)).toBe(true);
    }
    expect(await left()).toEqual({ incoming: [], blobs: 1 });
  },
);

test("what the disk lost or changed is an error before the first byte, also once it was read well", async () => {
  const { sha256 } = await store.put(Buffer.from("as it was"));
  const hash = sha256.toString("hex");
  const file = path.join(folder, "blobs", hash.slice(0, 2), hash);
  expect((await buffer(await store.open(sha256, { start: 3 }))).toString()).toBe("it was");
  await writeFile(file, "no longer as it was");
  await expect(store.open(sha256)).rejects.toMatchObject({ code: "lost" });
  await writeFile(file, "as it was");
  expect((await buffer(await store.open(sha256))).toString()).toBe("as it was");
  await rm(file);
  await expect(store.open(sha256)).rejects.toMatchObject({ code: "lost" });
});

test("what is larger than allowed leaves nothing, also when that shows late", async () => {
  await expect(store.put(Buffer.alloc(100), { maxBytes: 99 })).rejects.toMatchObject({ code: "too_large" });
  const endless = Readable.from(
    (function* () {
      for (;;) yield Buffer.alloc(100_000);
    })(),
  );
  await expect(store.put(endless, { maxBytes: 1_000_000 })).rejects.toMatchObject({ code: "too_large" });
  expect(endless.destroyed).toBe(true);
  expect(await left()).toEqual({ incoming: [], blobs: 0 });
});

test("what fails on its way leaves nothing", async () => {
  const broken = Readable.from(
    (async function* () {
      yield Buffer.alloc(300_000);
      throw new Error("gone");
    })(),
  );
  await expect(store.put(broken)).rejects.toThrow("gone");
  expect(await left()).toEqual({ incoming: [], blobs: 0 });
});

test("what the host's disk has no room for is refused", async () => {
  const full = new LocalBlobStore(path.join(folder, "blobs"), { reserveBytes: Number.MAX_SAFE_INTEGER });
  await expect(full.put(Buffer.alloc(100))).rejects.toMatchObject({ code: "disk_full" });
  expect(await left()).toEqual({ incoming: [], blobs: 0 });
});

async function left() {
  const incoming = await readdir(path.join(folder, "blobs/incoming")).catch(() => []);
  let blobs = 0;
  for await (const some of store.list()) blobs += some.length;
  return { incoming, blobs };
}
